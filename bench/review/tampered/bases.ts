import type { Change } from "./change.ts";

/** Clean releases of two packages that reach the network and start programs already, as many do. */
export const pythonBase: Change = {
  "PKG-INFO":
    "Metadata-Version: 2.1\nName: harborlog\nVersion: 1.4.2\nSummary: Reads the logs of harbors\nAuthor: Ida Moen\nAuthor-email: ida@harborlog.example\nMaintainer: Ida Moen\nMaintainer-email: ida@harborlog.example\nLicense: MIT\nClassifier: License :: OSI Approved :: MIT License\nRequires-Dist: requests>=2.20\nRequires-Dist: colorama\n\nReads the logs of harbors.\n",
  "setup.py": 'from setuptools import setup\n\nsetup(name="harborlog", version="1.4.2", packages=["harborlog"])\n',
  "pyproject.toml": '[build-system]\nrequires = ["setuptools>=61", "wheel"]\nbuild-backend = "setuptools.build_meta"\n',
  LICENSE: "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy.\n",
  "harborlog/__init__.py":
    '"""Reads the logs of harbors."""\n\nfrom .client import Client\n\n__version__ = "1.4.2"\n__all__ = ["Client"]\n',
  "harborlog/client.py":
    'import os\nimport subprocess\n\nimport requests\n\n\nclass Client:\n    """Talks to a harbor."""\n\n    def __init__(self, key=None):\n        self.key = key or os.environ.get("HARBORLOG_API_KEY")\n\n    def entries(self, url):\n        return requests.get(url, headers={"key": self.key}, timeout=30).json()\n\n    def open(self, path):\n        subprocess.run(["gnuplot", path], check=True)\n\n\ndef main():\n    print(Client().entries("https://api.harborlog.example/entries"))\n',
  "tests/test_client.py":
    "import requests\n\nfrom harborlog import Client\n\n\ndef test_entries():\n    assert Client().key is None\n",
  "docs/conf.py": 'project = "harborlog"\nextensions = []\n',
};

export const rBase: Change = {
  DESCRIPTION:
    "Package: tideline\nVersion: 1.4.2\nTitle: Tides at the Line\nAuthor: Ida Moen\nMaintainer: Ida Moen <ida@tideline.example>\nDescription: Reads tides.\nLicense: MIT + file LICENSE\nImports: httr, jsonlite\nNeedsCompilation: yes\n",
  LICENSE: "YEAR: 2024\nCOPYRIGHT HOLDER: Ida Moen\n",
  NAMESPACE: "export(read_tides)\nimport(httr)\nuseDynLib(tideline)\n",
  "R/refresh.R":
    'read_tides <- function(url, path = tempfile()) {\n  utils::download.file(url, path)\n  jsonlite::fromJSON(path)\n}\n\nplot_tides <- function(path) {\n  system2("gnuplot", path)\n}\n\npublish <- function(x, url) httr::POST(url, body = x, httr::add_headers(key = Sys.getenv("TIDELINE_KEY")))\n',
  "R/zzz.R": '.onAttach <- function(libname, pkgname) packageStartupMessage("Tides")\n',
  configure: "#!/bin/sh\n# Finds the library.\necho 'PKG_LIBS=-lm' > src/Makevars\n",
  "src/Makevars": "PKG_LIBS=-lm\n",
  "src/tides.c": "#include <R.h>\n\nvoid height(double *x) { x[0] = 1; }\n",
  "man/read_tides.Rd": "\\name{read_tides}\n\\title{Read}\n\\description{Reads tides.}\n",
  "vignettes/start.Rmd": "---\ntitle: Start\n---\n\n```{r}\nlibrary(tideline)\n```\n",
  "tests/testthat/test-refresh.R": 'test_that("it works", expect_true(TRUE))\n',
};
