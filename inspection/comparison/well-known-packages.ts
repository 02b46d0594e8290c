import type { Technology } from "@packhouse/contract/technology";

/** Packages that many others need, and whose names are imitated. */
export const wellKnownPackages: Readonly<Record<Technology, readonly string[]>> = {
  Python: [
    "aiohttp ansible anthropic anyio asyncpg attrs babel bcrypt beautifulsoup4 black boto3 botocore celery certifi",
    "cffi chardet charset-normalizer click colorama cryptography cython dask discord-py distlib django docker docutils",
    "fastapi filelock flask fonttools fsspec gevent google-auth graphql-core greenlet grpcio gunicorn httpcore httplib2",
    "httpx hypothesis importlib-metadata ipython isort itsdangerous jinja2 joblib jsonschema jupyter keras keyring",
    "kubernetes langchain lightgbm loguru lxml markdown markupsafe marshmallow matplotlib mistune msgpack multidict mypy",
    "networkx nltk numba numexpr numpy openai opencv-python openpyxl orjson packaging pandas paramiko pexpect pillow",
    "platformdirs playwright plotly pluggy polars prompt-toolkit protobuf psutil psycopg psycopg2 psycopg2-binary pyarrow",
    "pyasn1 pycparser pycryptodome pydantic pydantic-core pygments pyjwt pymongo pymysql pynacl pyopenssl pyparsing",
    "pyserial pytest pytest-cov python-dateutil python-dotenv pytorch pywin32 pyyaml pyzmq rapidfuzz redis regex requests",
    "requests-oauthlib requests-toolbelt s3transfer scikit-learn scipy scrapy seaborn selenium sentry-sdk setuptools",
    "setuptools-scm shapely simplejson soupsieve sphinx sqlalchemy starlette statsmodels structlog sympy tabulate telethon",
    "tenacity tensorflow termcolor tokenizers tomli tomlkit torch torchvision tornado tqdm traitlets transformers triton",
    "twine twisted typer types-requests typing-extensions tzdata ujson ultralytics urllib3 uvicorn uvloop virtualenv",
    "watchdog websocket-client websockets werkzeug wheel wrapt xgboost yarl",
  ].flatMap((line) => line.split(" ")),
  R: [
    "abind arrow askpass backports base64enc bayesplot BiocGenerics BiocManager bookdown broom bslib cachem callr caret",
    "checkmate circlize clipr codetools collapse colorspace commonmark covr cowplot crayon credentials crosstalk curl",
    "data.table dbplyr desc devtools digest doParallel dplyr dtplyr e1071 emmeans evaluate fansi farver fastmap forcats",
    "foreach forecast fontawesome furrr future future.apply generics ggplot2 ggrepel ggpubr gitcreds glmnet globals",
    "googledrive googlesheets4 gridExtra gtable haven highr htmltools htmlwidgets httpuv httr2 igraph isoband iterators",
    "jquerylib jsonlite knitr labeling later lattice lifecycle listenv lubridate magrittr markdown Matrix matrixStats",
    "memoise mgcv miniUI modelr munsell mvtnorm numDeriv openssl openxlsx parallelly patchwork pillar pkgbuild",
    "pkgconfig pkgload plotly plumber praise prettyunits processx progress progressr promises purrr quantreg ranger",
    "rappdirs raster RColorBrewer RcppArmadillo RcppEigen RCurl readr readxl recipes rematch2 remotes renv reshape2",
    "reticulate rlang rmarkdown roxygen2 rprojroot RSQLite rstudioapi rversions rvest scales selectr sessioninfo shiny",
    "shinyjs sodium sourcetools stringi stringr survival systemfonts terra testthat textshaping tibble tidyr tidyselect",
    "tidyverse timechange tinytex units usethis vctrs viridis viridisLite vroom waldo withr xfun xgboost xtable yaml",
  ].flatMap((line) => line.split(" ")),
};
