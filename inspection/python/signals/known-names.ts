import { normalizeName } from "@packhouse/formats/python/name";

/** Modules that many packages import, and the projects that provide them, where the names differ. */
const providers: Readonly<Record<string, readonly string[]>> = {
  PIL: ["pillow"],
  yaml: ["pyyaml"],
  bs4: ["beautifulsoup4"],
  sklearn: ["scikit-learn"],
  skimage: ["scikit-image"],
  cv2: ["opencv-python", "opencv-contrib-python", "opencv-python-headless", "opencv-contrib-python-headless"],
  dateutil: ["python-dateutil"],
  dotenv: ["python-dotenv"],
  jwt: ["pyjwt"],
  Crypto: ["pycrypto", "pycryptodome"],
  OpenSSL: ["pyopenssl"],
  serial: ["pyserial"],
  git: ["gitpython"],
  attr: ["attrs"],
  attrs: ["attrs"],
  pkg_resources: ["setuptools"],
  _distutils_hack: ["setuptools"],
  setuptools: ["setuptools"],
  typing_extensions: ["typing-extensions"],
  google: [],
  psycopg2: ["psycopg2", "psycopg2-binary"],
  MySQLdb: ["mysqlclient"],
  markdown: ["markdown"],
  docx: ["python-docx"],
  magic: ["python-magic"],
  usb: ["pyusb"],
  zmq: ["pyzmq"],
  win32api: ["pywin32"],
  tensorflow: ["tensorflow", "tensorflow-cpu", "tensorflow-gpu", "tensorflow-intel", "tf-nightly"],
  torch: ["torch"],
};

/** Modules of projects with the same name. */
const sameNames = new Set([
  ..."pip wheel requests urllib3 certifi idna charset_normalizer chardet numpy scipy pandas matplotlib six boto3 botocore".split(
    " ",
  ),
  ..."cryptography flask django jinja2 werkzeug click sqlalchemy pydantic fastapi starlette uvicorn httpx aiohttp".split(
    " ",
  ),
  ..."pytest tox virtualenv colorama tqdm rich packaging lxml redis celery paramiko scrapy selenium twisted tornado".split(
    " ",
  ),
  ..."transformers openai anthropic langchain ultralytics keras seaborn plotly networkx sympy numba cython polars".split(
    " ",
  ),
  ..."psutil simplejson ujson orjson protobuf grpcio kubernetes docker ansible black ruff mypy isort twine poetry".split(
    " ",
  ),
  ..."keyring pyperclip pyautogui discord telegram telethon pymongo pymysql psycopg markupsafe itsdangerous toml".split(
    " ",
  ),
]);

/** Modules of Python itself that code imports before anything else. */
const standardModules = new Set([
  ..."abc argparse ast asyncio base64 binascii bisect builtins codecs collections contextlib copy csv ctypes".split(
    " ",
  ),
  ..."datetime decimal difflib email encodings functools gc getpass glob gzip hashlib heapq hmac html http".split(" "),
  ..."importlib inspect io itertools json keyword locale logging marshal math mimetypes multiprocessing os".split(" "),
  ..."pathlib pickle pkgutil platform pprint queue random re runpy secrets select shlex shutil signal site smtplib".split(
    " ",
  ),
  ..."socket sqlite3 ssl stat string struct subprocess sys sysconfig tempfile textwrap threading time token tokenize".split(
    " ",
  ),
  ..."traceback types typing unittest urllib uuid venv warnings weakref webbrowser xml zipfile zlib".split(" "),
]);

/** Who a module of this name usually comes from, if it is not this project; undefined if it is no one else's. */
export function ownerOf(module: string, project: string): string | undefined {
  const name = normalizeName(project);
  const known = Object.hasOwn(providers, module) ? providers[module] : undefined;
  if (known) return known.length === 0 || known.includes(name) ? undefined : known[0];
  const lower = module.toLowerCase();
  if (normalizeName(lower) === name) return undefined;
  if (standardModules.has(module)) return "Python";
  // `types-requests` and `requests-stubs` describe the module, `flask-login` extends it in one of its own.
  return sameNames.has(lower) ? lower : undefined;
}

/** Commands that people and scripts call every day, with the projects that provide them. */
const commandOwners = new Map<string, readonly string[]>([
  ...["pip", "pip3"].map((name): [string, string[]] => [name, ["pip"]]),
  ...["python", "python2", "python3", "py", "conda", "node", "npm", "npx", "yarn", "ruby", "perl", "java", "go"].map(
    (name): [string, string[]] => [name, []],
  ),
  ..."sh bash zsh ls cat cp mv rm cd mkdir chmod chown sudo su ssh scp sftp curl wget git gpg tar gzip unzip"
    .split(" ")
    .map((name): [string, string[]] => [name, []]),
  ..."grep sed awk find ps kill top make gcc cc ld docker kubectl helm terraform aws gcloud az R Rscript systemctl"
    .split(" ")
    .map((name): [string, string[]] => [name, name === "aws" ? ["awscli"] : name === "az" ? ["azure-cli"] : []]),
  ["uv", ["uv"]],
  ["uvx", ["uv"]],
  ["poetry", ["poetry"]],
  ["twine", ["twine"]],
  ["pytest", ["pytest"]],
  ["tox", ["tox"]],
  ["virtualenv", ["virtualenv"]],
  ["jupyter", ["jupyter-core"]],
  ["ansible", ["ansible", "ansible-core"]],
]);

export function isOthersCommand(command: string, project: string): boolean {
  const bare = command.toLowerCase().endsWith(".exe") ? command.slice(0, -4) : command;
  const owners = commandOwners.get(bare);
  return (
    owners !== undefined && !owners.includes(normalizeName(project)) && normalizeName(bare) !== normalizeName(project)
  );
}
