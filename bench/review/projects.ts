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
