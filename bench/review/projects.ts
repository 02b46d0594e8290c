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

/** More R packages that are used a lot, as Debian names them. */
export const moreRPackages: readonly string[] = words(`
  aer afex amap argparser arm arsenal base64enc bayesplot bayestestr bbmle bh biasedurn bigmemory bitops blme blob
  brglm bridgesampling brms broom.mixed cairo catools cba chk circlize class clue cmprsk coin collapse combinat
  conquer corpcor corrplot cubature cvst deldir deoptimr desolve dharma dichromat diffobj doby docopt doparallel
  downlit downloader dtplyr ellipse ellipsis emayili estimability etm exactextractr factoextra factominer farver
  fastdummies fastica fastmatch fftw fitdistrplus flextable fnn fontawesome forcats foreach formatr formula furrr
  futile.logger gam gamm4 gargle gbm gdtools geepack geometry geosphere getopt ggally ggbeeswarm ggforce ggpubr
  ggrastr ggrepel ggridges ggsci ggthemes gitcreds globals gmm googledrive googlesheets4 gower graphlayouts
  gridextra gsl hash here hexbin htmltable huge hypergeo interp ipred irkernel iso isoband iterators jpeg kernlab ks
  labeling labelled lavaan lazyeval leaps lhs lmertest lobstr locfit logging loo lpsolve maps maptree matching
  mathjaxr matrixcalc matrixmodels maxlik mclust mcmc metafor mice miniui minqa mitools mockr modeldata modelr
  modeltools multcompview munsell ncdf4 network nleqslv nlp nmf nnet nnls optparse ordinal packrat pan party
  partykit patchwork pbapply pbkrtest pdftools performance permute pheatmap pkgdown pki pls plm plotrix png pracma
  prettyunits proc progress progressr proxy pscl psych quantmod quickjsr r.cache r.methodss3 r.oo randomforest
  ranger rann rappdirs raster rbibutils rcmdcheck rcppeigen rcppgsl rcppannoy rdpack rematch repr reprex reshape
  reshape2 rgenoud rio rjags rjson rlist rms rnaturalearth rnetcdf rprojroot rprotobuf rsclient rsconnect rspectra
  rstanarm rstantools rstatix rsvd rsvg rtsne runit rversions s2 s7 sampling scales scatterplot3d segmented seqinr
  seriation sessioninfo seurat shinydashboard shinyfiles shinyjs slam slider snakecase snowballc sourcetools spam
  spdata spelling splines2 sqldf stabledist stanheaders stars statmod stringdist svglite systemfit systemfonts
  tcltk2 tensor terra textshaping thematic themis tidygraph tidytext tikzdevice timedate tinytest tmb triebeard
  truncnorm tsp ttr tweenr tzdb udunits2 unitizer urlchecker utf8 uuid uwot vcd vdiffr vgam viridis viridislite
  vroom waldo webfakes webmockr webshot webutils whisker wk writexl xtable xts zeallot
`);
