const words = (text: string): string[] => text.trim().split(/\s+/);

/** Python projects of all kinds: pure and compiled, new and old, built by every tool; those that start programs, too. */
export const pythonProjects: readonly string[] = words(`
  requests flask attrs click jinja2 urllib3 certifi idna charset-normalizer packaging setuptools pip wheel six
  python-dateutil pyyaml django sqlalchemy pytest tox virtualenv numpy cryptography boto3 botocore rich tqdm pydantic
  fastapi starlette uvicorn httpx aiohttp werkzeug markupsafe itsdangerous colorama docutils sphinx pygments black isort
  mypy ruff flake8 pylint coverage hypothesis psutil paramiko fabric invoke redis celery kombu gunicorn twine build
  hatchling poetry-core flit-core keyring platformdirs filelock lxml beautifulsoup4 scrapy pyparsing networkx joblib
  scikit-learn pandas matplotlib pillow simplejson msgpack protobuf grpcio cffi cython ansible-core docker jsonschema
  marshmallow peewee bottle tornado more-itertools toml tomli zipp importlib-metadata typing-extensions nltk gevent
  pymongo prompt-toolkit ipython jupyter-core nbformat watchdog loguru structlog python-dotenv httplib2 pyjwt
  s3transfer google-auth pyasn1 rsa pycparser pyopenssl sentry-sdk ultralytics
`);

/** R packages of all kinds: with `configure`, with compiled code, with hooks; those that start programs and connect. */
export const rPackages: readonly string[] = words(`
  abind ade4 ape arrow askpass backports bench bit64 bookdown brio broom bslib cachem callr car checkmate cli clipr
  clock cluster coda colorspace commonmark covr cpp11 crayon credentials curl data.table DBI dbplyr desc devtools digest
  dplyr DT e1071 evaluate expm fansi fastmap fields forecast fs future gert ggplot2 gh git2r glmnet glue gmp haven hms
  htmltools htmlwidgets httpuv httr httr2 igraph irlba jsonlite keyring knitr later lattice lintr lme4 lubridate magick
  magrittr markdown MASS Matrix matrixStats mgcv mime nloptr openssl openxlsx parallelly pkgbuild pkgload plotly plumber
  plyr processx promises ps purrr quantreg R.utils R6 ragg Rcpp RcppArmadillo RCurl readr readxl remotes reticulate
  rlang rmarkdown roxygen2 RSQLite rstudioapi rvest sass sf shiny sodium sp stringi stringr survival sys testthat tibble
  tidyr tinytex units usethis V8 vctrs withr xfun XML xml2 yaml zip zoo
`);

/** Sources of Debian whose archives are source distributions: many of the projects above, and others. */
export const pythonSources: readonly string[] = words(`
  flask python-attrs click jinja2 python-urllib3 python-idna python-charset-normalizer python-packaging setuptools
  wheel six python-dateutil pyyaml python-django pytest tox python-cryptography pydantic starlette python-uvicorn
  python-aiohttp markupsafe python-itsdangerous python-colorama sphinx black isort mypy python-flake8 pylint
  python-hypothesis paramiko fabric python-invoke redis celery kombu gunicorn twine python-build hatchling
  poetry-core python-keyring platformdirs python-filelock lxml beautifulsoup4 python-scrapy pyparsing joblib
  simplejson protobuf cffi ansible-core python-docker python-marshmallow python-bottle python-tornado more-itertools
  python-toml python-tomli python-zipp python-importlib-metadata python-typing-extensions nltk python-gevent pymongo
  ipython jupyter-core nbformat python-watchdog loguru python-structlog python-dotenv python-httplib2 pyjwt
  python-s3transfer pyasn1 python-rsa pycparser pyopenssl python-acme python-aio-pika python-aiosqlite python-altair
  python-annotated-types python-anyio python-argcomplete python-argon2 python-arrow python-asgiref python-asttokens
  python-async-timeout python-asyncssh python-babel python-bitarray python-bleach python-blessed python-boltons
  python-btrees python-bytecode python-cachecontrol python-cachetools python-can python-certbot python-chameleon
  python-channels-redis python-ciso8601 python-coloredlogs python-colorlog python-configargparse python-crontab
  python-cssselect python-cycler python-cymem python-cytoolz python-daemon python-daphne python-decorator
  python-deprecated python-distro python-django-channels python-django-crispy-forms python-django-debug-toolbar
  python-django-extensions python-django-import-export python-django-otp python-django-storages python-django-waffle
  python-djangosaml2 python-djangorestframework-simplejwt python-dpkt python-ecdsa python-einops
  python-elasticsearch python-email-validator python-emoji python-eventlet python-evdev python-exceptiongroup
  python-executing python-fakeredis python-fastjsonschema python-fido2 python-fire python-flask-cors
  python-frozendict python-fs python-geopandas python-gitlab python-git python-gitdb python-gmpy2 python-gnupg
  python-google-api-core python-graphene python-graphviz python-greenlet python-gssapi python-h11 python-h2
  python-hiredis python-httptools python-humanize python-icalendar python-igraph python-ijson python-imageio
  python-imagesize python-iniconfig python-inflect python-jira python-jmespath python-josepy python-json5
  python-jwcrypto python-kubernetes python-lark python-ldap3 python-levenshtein python-libcst python-limits
  python-line-profiler python-livereload python-magic mako python-markdown python-markdown2 python-memory-profiler
  python-mistletoe python-mock python-mongoengine python-motor python-msgspec python-multidict python-munch
  python-mypy-extensions python-mysqldb python-nacl python-netaddr python-nh3 python-nmap python-num2words
  python-oauthlib python-openapi-core python-orjson python-packageurl python-paho-mqtt python-papermill python-param
  python-parameterized python-pathspec python-pathvalidate python-pex python-pika python-pint python-pipx
  python-pkginfo python-plumbum python-prometheus-client python-propcache python-ptrace python-pure-eval python-py
  python-pyelftools python-pyfakefs python-pygal python-pygit2 python-pymysql python-pynetbox python-pynvim
  python-pyperclip python-pyproj python-pyproject-hooks python-pytest-asyncio python-pytest-benchmark
  python-pytest-cov python-pytest-timeout python-pythonjsonlogger python-qrcode python-qtpy python-questionary
  python-rarfile python-readme-renderer python-regex python-reportlab python-requests-oauthlib
  python-requests-toolbelt python-resolvelib python-rich-click python-rq python-ruyaml python-schema python-scp
  python-secretstorage python-semantic-release python-setproctitle python-sh python-shapely python-shtab
  python-slugify python-smmap python-sniffio python-socketio python-engineio python-sparse python-srsly
  python-stack-data python-stem python-stripe python-sybil python-systemd python-tabulate python-telegram-bot
  python-tempora python-tenacity python-testfixtures python-textile python-thinc python-threadpoolctl
  python-time-machine python-tinycss2 tldextract python-tomlkit python-traits python-transitions python-treq
  python-trio python-trustme python-truststore python-typeguard python-tzlocal python-ua-parser python-uritools
  python-utils python-validate-pyproject python-versioneer python-w3lib python-webargs python-webob
  python-websockets python-whitenoise python-wsproto python-xlrd python-xmlschema python-xmltodict python-zeep
  python-zeroconf python-zstandard
`);

/** All other R packages of which Debian lists two releases, as it names them. */
export const moreRPackages: readonly string[] = words(`
  actuar adegenet adegraphics adephylo admisc aer afex alakazam amap amelia apcluster aplpack argparser arm arsenal
  assertive.base aweek base64enc batchjobs bayesfm bayesplot bayestestr bbmisc bbmle bdsmatrix beeswarm
  benchmarkmedata bh biasedurn bibtex bigmemory bigmemory.sri bindr bindrcpp bio3d bios2cor bitops biwt blme blob
  blockmodeling bms boolnet brew brglm bridgesampling brms brobdingnag broom.helpers broom.mixed ca caic4 cairo
  cardata catools cba cftime chk circlize circular class cliapp clubsandwich clue clustergeneration cmprsk cmstatr
  coin collapse combinat conquer corpcor corrplot covid19us ctmcd cubature cubelyr cutpointr cvar cvst cyclocomp
  dbitest ddalpha ddrtree deal decor deldir densityclust deoptim deoptimr deriv desolve dfoptim dharma dichromat
  diffobj dimred diptest distory distributional doby docopt domc doparallel dorng dosefinding dosnow dotcall64
  downlit downloader drr dslabs dtplyr eaf earth eco ecodist eipack ellipse ellipsis elliptic emayili emoa energy
  epi erm estimability estimatr etm evd exactextractr exactranktests expint extradistr factoextra factominer farver
  fastcluster fastdummies fastica fastmatch fdrtool fftw filehash filelock findpython fingerprint fitdistrplus
  flashclust flexmix flextable fnn fontawesome forcats foreach formatr formula fpc fracdiff furrr futile.logger
  g.data gam gamm4 gargle gb2 gbm gbrd gbutils gclus gdtools gee geepack generics genetics genie genieclust geometry
  geosphere getopt gfonts ggalluvial ggally gganimate ggbeeswarm ggforce ggm ggplot.multistats ggpubr ggrastr
  ggrepel ggridges ggsci ggseqlogo ggsignif ggstats ggtext ggthemes gitcreds globaloptions globals gmm gnm goftest
  googledrive googlesheets4 gower gparotation graphlayouts gridextra gridsvg gridtext grimport2 gsa gsl gss gstat
  guerry haplo.stats hash here hexbin hsaur3 htmltable huge hwriter hypergeo ica incidence inline interp intervals
  inum ipred irace irdisplay irkernel iso isoband isocodes isospecr iterators jomo jpeg jrc kedd kernlab km.ci
  kmsurv knn.covertree ks ksamples labdsv labeling labelled laeken lamw lasso2 latte lavaan lazyeval lbfgsb3c leaps
  learnbayes leidenbase lhs libcoin linprog lisreltor lmertest lobstr locfit logcondens logger logging logspline loo
  lpsolve lsei lsmeans luminescence lwgeom magic maldiquant maldiquantforeign manipulatewidgets maotai mapdata
  mapproj maps maptree marginaleffects markovchain matching matchit mathjaxr matlab matrixcalc matrixmodels maxlik
  maxstat mclogit mclust mclustcomp mcmc mcmcpack mda memoise mertools metadat metafor metap mi mice minerva miniui
  minpack.lm minqa misctools mitml mitools mixsqp mixtools mlbench mlmetrics mlmrev mnp mockr modeest modeldata
  modelr modeltools mpoly msm multcompview multicool multidimbio multilevel munsell mutoss mvnormtest nanoarrow
  nanotime ncdf4 ncmeta network nfactors nleqslv nlp nmf nnet nnls optimalcutpoints optimparallel optparse ordinal
  packrat pammtools pan parallelmap parameters paramhelpers parmigene party partykit patchwork pbapply pbkrtest
  pbmcapply pcapp pcict pdftools pec performance permute pheatmap phylobase phytools pingr pixmap pkgcond pkgdown
  pkgkitten pkgmaker pki plm plot3d plotmo plotrix pls png poissonbinomial polyclip polycor polycub powerlaw
  prabclus pracma prediction prettyunits proc prodlim profilemodel progress progressr propclust proxy pscbs pscl psy
  psych psychometric psychotools psychotree psychtools psyphy publish purrrlyr qap qgam qgraph qlcmatrix qtl
  quantmod quickjsr qvcalc r.cache r.methodss3 r.oo r2d2 randomfields randomfieldsutils randomforest randomglm
  ranger rann rappdirs raschsampler raster ratelimitr rbibutils rcmdcheck rcmdrmisc rcppannoy rcppcctz rcppdate
  rcppdist rcppeigen rcppgsl rcppml rcpproll rcppspdlog rcsdp rdpack readbrukerflexdata readmzxmldata readstata13
  redland reformulas relsurv rematch repr reprex reshape reshape2 restfulr rex rgenoud rgooglemaps rinside rio rjags
  rjson rle rlinsolve rlist rlrsim rlumshiny rmpfr rms rnaturalearth rnaturalearthdata rncl rneos rnetcdf rngtools
  robumeta robust robustrankaggreg rocr rotl rpact rprojroot rprotobuf rrcov rredlist rsclient rsconnect rspectra
  rstanarm rstantools rstatix rsvd rsvg rtdists rtsne runit rversions rwave s2 s7 sampling samr satellite scales
  scattermore scatterplot3d sctransform segmented selectr sem semplot semtools sendmailr seqinr seriation
  sessioninfo setrng seurat seuratobject sfsmisc sftime shades shape shapes shazam shinybs shinycssloaders
  shinydashboard shinyfiles shinyjs shinystan simplermarkdown sitmo sjlabelled sjmisc sjstats slam slider smoother
  sn sna snakecase snowballc snowfall sourcetools spam sparr sparsem sparsesvd sparsevctrs spatial spatstat
  spatstat.data spatstat.explore spatstat.geom spatstat.linnet spatstat.model spatstat.random spatstat.sparse
  spatstat.univar spatstat.utils spc spdata spdl spelling splines2 sqldf squarem stable stabledist stanheaders stars
  startupmsg statcheck statmod statnet.common stringdist suppdists surveillance survey survmisc svglite svmisc
  svunit systemfit systemfonts tcltk2 tensor tensora terra testit textshaping tfisher tfmpvalue tgp th.data thematic
  themis tidygraph tidytext tiff tigger tikzdevice timechange timedate timereg timeseries tinytest tm tmb tmvtnorm
  transformr triebeard truncnorm tsne tsp ttr tufte tweenr tzdb ucminf udunits2 unitizer urlchecker uroot utf8 uuid
  uwot vcd vcdextra vdiffr venndiagram vgam vioplot vipor viridis viridislite vroom waldo warp waveslim wavethresh
  wdi webfakes webgestaltr webmockr webshot webutils wgcna whisker wikipedir wk wkutils writexl xslt xtable xts
  yulab.utils zeallot
`);
