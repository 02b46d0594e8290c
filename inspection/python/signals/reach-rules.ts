import type { SignalId } from "@packhouse/contract/review/signals";

/** What calling a function of another package reaches. */
export interface ReachRule {
  id: Extract<
    SignalId,
    "process" | "network" | "environment" | "home-folder" | "clipboard" | "keyring" | "import-hook"
  >;
  /** Prepares something and reaches nothing yet, or is common on import: not news when a module does it on import. */
  isQuiet?: true;
  /** Suspicious wherever it is. */
  isRaised?: true;
}

const process: ReachRule = { id: "process" };
const network: ReachRule = { id: "network" };
const quietProcess: ReachRule = { id: "process", isQuiet: true };
const quietNetwork: ReachRule = { id: "network", isQuiet: true };
/** Keys pressed, pictures of the screen: what the user types, copies or sees. */
const clipboard: ReachRule = { id: "clipboard" };
const keyring: ReachRule = { id: "keyring" };
const importHook: ReachRule = { id: "import-hook", isRaised: true };
const identity: ReachRule = { id: "environment", isQuiet: true };

/** Who the user is, and what the machine is called. */
export const identities: ReadonlySet<string> = new Set([
  ...["socket.gethostname", "socket.getfqdn", "platform.node", "platform.uname", "getpass.getuser"],
  ...["os.getlogin", "os.uname"],
]);

const httpVerbs = ["get", "post", "put", "patch", "delete", "head", "options", "request", "stream", "send"];

const httpClients = ["requests", "httpx", "urllib3", "aiohttp", "niquests", "curl_cffi.requests"];
const sessions = [
  "requests.Session()",
  "requests.session()",
  "requests.sessions.Session()",
  "httpx.Client()",
  "httpx.AsyncClient()",
  "aiohttp.ClientSession()",
  "urllib3.PoolManager()",
];

const named = (rule: ReachRule, module: string, names: readonly string[]): [string, ReachRule][] =>
  names.map((name) => [`${module}.${name}`, rule]);

/** By the name of the function, as Python would find it. */
const functions = new Map<string, ReachRule>([
  ...named(process, "os", [
    ..."system popen popen2 popen3 popen4 startfile posix_spawn posix_spawnp forkpty".split(" "),
    ..."execl execle execlp execlpe execv execve execvp execvpe".split(" "),
    ..."spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe".split(" "),
  ]),
  ...["posix", "nt"].flatMap((module) =>
    named(process, module, [
      ..."system popen execv execve posix_spawn posix_spawnp forkpty startfile spawnv spawnve".split(" "),
    ]),
  ),
  ...named(process, "subprocess", [..."run call check_call check_output Popen getoutput getstatusoutput".split(" ")]),
  ...named(process, "_posixsubprocess", ["fork_exec"]),
  ...named(process, "_winapi", ["CreateProcess"]),
  ...named(process, "commands", ["getoutput", "getstatusoutput"]),
  ...named(process, "asyncio", ["create_subprocess_exec", "create_subprocess_shell"]),
  ...named(process, "asyncio.subprocess", ["create_subprocess_exec", "create_subprocess_shell"]),
  ...named(process, "multiprocessing.util", ["spawnv_passfds"]),
  ...named(process, "pty", ["spawn"]),
  ...named(process, "pexpect", ["spawn", "run"]),
  ...named(process, "psutil", ["Popen"]),
  ...["distutils.spawn", "setuptools._distutils.spawn"].map((module): [string, ReachRule] => [
    `${module}.spawn`,
    process,
  ]),
  ...named(process, "pydoc", ["pipepager", "tempfilepager"]),
  ...named(process, "pip", ["main"]),
  ...named(process, "pip._internal", ["main"]),
  ...named(process, "pip._internal.cli.main", ["main"]),
  ...named(quietProcess, "webbrowser", ["open", "open_new", "open_new_tab"]),
  ...named(quietProcess, "ctypes", ["CDLL", "WinDLL", "OleDLL", "PyDLL"]),
  ...named(quietProcess, "ctypes.cdll", ["LoadLibrary"]),
  ...named(process, "winreg", ["SetValueEx", "SetValue"]),
  ...named(process, "_winreg", ["SetValueEx", "SetValue"]),

  ...named(network, "urllib.request", ["urlopen", "urlretrieve"]),
  ...named(quietNetwork, "urllib.request", ["build_opener", "URLopener", "FancyURLopener"]),
  ...named(network, "urllib.request.build_opener()", ["open"]),
  ...named(network, "urllib", ["urlopen", "urlretrieve"]),
  ...named(network, "urllib2", ["urlopen"]),
  ...named(quietNetwork, "http.client", ["HTTPConnection", "HTTPSConnection"]),
  ...named(network, "http.client.HTTPConnection()", ["request", "connect"]),
  ...named(network, "http.client.HTTPSConnection()", ["request", "connect"]),
  ...named(quietNetwork, "httplib", ["HTTPConnection", "HTTPSConnection"]),
  ...httpClients.flatMap((module) => named(network, module, httpVerbs)),
  ...sessions.flatMap((session) => named(network, session, httpVerbs)),
  ...named(quietNetwork, "requests", ["Session", "session"]),
  ...named(quietNetwork, "httpx", ["Client", "AsyncClient"]),
  ...named(quietNetwork, "aiohttp", ["ClientSession"]),
  ...named(quietNetwork, "urllib3", ["PoolManager", "ProxyManager", "HTTPConnectionPool", "HTTPSConnectionPool"]),
  ...named(quietNetwork, "socket", ["socket", "socketpair", "fromfd"]),
  ...named(network, "socket", [
    "create_connection",
    "create_server",
    "gethostbyname",
    "gethostbyname_ex",
    "getaddrinfo",
  ]),
  ...named(network, "socket.socket()", ["connect", "connect_ex", "sendto", "bind"]),
  ...named(network, "asyncio", ["open_connection", "start_server"]),
  ...named(network, "smtplib", ["SMTP", "SMTP_SSL"]),
  ...named(network, "ftplib", ["FTP", "FTP_TLS"]),
  ...named(network, "telnetlib", ["Telnet"]),
  ...named(network, "poplib", ["POP3", "POP3_SSL"]),
  ...named(network, "imaplib", ["IMAP4", "IMAP4_SSL"]),
  ...named(quietNetwork, "xmlrpc.client", ["ServerProxy"]),
  ...named(quietNetwork, "paramiko", ["SSHClient", "Transport"]),
  ...named(network, "pycurl", ["Curl"]),
  ...named(network, "wget", ["download"]),
  ...named(network, "websocket", ["create_connection", "WebSocketApp"]),
  ...named(network, "websockets", ["connect"]),
  ...named(network, "dns.resolver", ["resolve", "query"]),
  ...named(quietNetwork, "boto3", ["client", "resource"]),
  ...named(network, "boto3.client()", ["upload_file", "upload_fileobj", "put_object", "publish", "send_message"]),
  ...named(network, "logging.handlers", ["HTTPHandler", "SMTPHandler", "SocketHandler", "DatagramHandler"]),
  ...named(network, "multiprocessing.connection", ["Client", "Listener"]),

  ...named(clipboard, "pyperclip", ["paste", "copy"]),
  ...named(clipboard, "clipboard", ["paste", "copy"]),
  ...named(clipboard, "win32clipboard", ["GetClipboardData", "SetClipboardData"]),
  ...named(clipboard, "tkinter.Tk()", ["clipboard_get", "clipboard_append"]),
  ...named(clipboard, "PIL.ImageGrab", ["grab", "grabclipboard"]),
  ...named(clipboard, "pyautogui", ["screenshot"]),
  ...named(clipboard, "pynput.keyboard", ["Listener"]),
  ...named(clipboard, "keyboard", ["hook", "on_press", "record"]),
  ...named(keyring, "keyring", ["get_password", "get_credential"]),
  ...named(keyring, "secretstorage", ["dbus_init", "get_default_collection"]),
  ...named(keyring, "win32cred", ["CredRead", "CredEnumerate"]),
  ...named({ ...keyring, isRaised: true }, "win32crypt", ["CryptUnprotectData"]),
  ...["chrome", "firefox", "edge", "load", "opera", "brave"].map((name): [string, ReachRule] => [
    `browser_cookie3.${name}`,
    { ...keyring, isRaised: true },
  ]),

  ...named(importHook, "sys.meta_path", ["insert", "append", "extend"]),
  ...named(importHook, "sys.path_hooks", ["insert", "append", "extend"]),
  ...named({ id: "home-folder" }, "os.path", ["expanduser"]),
  ...named({ id: "home-folder" }, "pathlib.Path", ["home"]),
  ...[...identities, "uuid.getnode"].map((name) => [name, identity] as const),
]);

/** Functions of Windows that put code into memory and run it. */
const memoryFunctions = new Set([
  "VirtualAlloc",
  "VirtualAllocEx",
  "RtlMoveMemory",
  "CreateThread",
  "CreateRemoteThread",
  "WriteProcessMemory",
]);

/** Functions of the system's libraries that start programs, and those of Python's own that run a text. */
const startingFunctions = new Set([
  ...["system", "popen", "execv", "execve", "execvp", "WinExec", "CreateProcessW"],
  ...["PyRun_SimpleString", "PyRun_SimpleStringFlags", "PyRun_String", "PyRun_StringFlags", "PyRun_SimpleFile"],
]);

/** Methods that start programs, of whatever object: nothing else has such names. */
export const unmistakableMethods: ReadonlyMap<string, string> = new Map([
  ["subprocess_shell", "asyncio.loop.subprocess_shell"],
  ["subprocess_exec", "asyncio.loop.subprocess_exec"],
  ["create_subprocess_shell", "asyncio.create_subprocess_shell"],
  ["create_subprocess_exec", "asyncio.create_subprocess_exec"],
]);

export function reachOf(name: string): ReachRule | undefined {
  const rule = functions.get(name);
  if (rule) return rule;
  if (name.startsWith("ctypes.")) {
    const called = name.slice(name.lastIndexOf(".") + 1);
    if (memoryFunctions.has(called) || startingFunctions.has(called) || called.startsWith("ShellExecute"))
      return { id: "process", isRaised: true };
  }
  const method = name.slice(name.lastIndexOf(".") + 1);
  if (unmistakableMethods.has(method)) return process;
  // Commands of setuptools start programs by a method of their own.
  if (method === "spawn" && (name.startsWith("setuptools.") || name.startsWith("distutils."))) return process;
  // `tkinter.Tk().clipboard_get`, called on whatever holds the window.
  return name.endsWith(".clipboard_get") ? clipboard : undefined;
}

/** Modules whose names a file may have by `from os import *`. */
export const reachingModules: readonly string[] = [
  "os",
  "subprocess",
  "socket",
  "requests",
  "urllib.request",
  "builtins",
];

/** Attributes whose assignment changes how modules are imported, or what other modules open, run, send and ask for. */
export const changedAttributes = new Set([
  ...["__import__", "sys.meta_path", "sys.path_hooks", "open", "exec", "eval", "compile", "input"],
  ...["requests.get", "requests.post", "requests.request", "requests.Session.send", "requests.Session.request"],
  ...["requests.sessions.Session.send", "requests.sessions.Session.request", "requests.adapters.HTTPAdapter.send"],
  ...["urllib.request.urlopen", "http.client.HTTPConnection.request", "http.client.HTTPConnection.send"],
  ...["httpx.Client.send", "httpx.AsyncClient.send", "aiohttp.ClientSession._request", "getpass.getpass"],
  ...["socket.socket", "socket.create_connection", "socket.getaddrinfo", "socket.gethostbyname"],
  ...["ssl._create_default_https_context", "ssl.create_default_context", "ssl.SSLContext.wrap_socket"],
  ...["subprocess.Popen", "subprocess.run", "os.system", "os.popen"],
]);

/** Where Python looks for modules first. */
export const searchPaths = new Set(["sys.path.insert", "sys.path.append", "sys.path.extend"]);

/** Variables whose change decides which code other programs run, where it comes from, and whom they talk to. */
export const powerfulVariables = new Set([
  ...["LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONSTARTUP", "BASH_ENV", "GIT_SSH_COMMAND", "NODE_OPTIONS"],
  ...["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"],
]);

/** Where a file lies that every Python reads at its start. */
export const siteFolders = new Set([
  "site.getsitepackages",
  "site.getusersitepackages",
  "sysconfig.get_path",
  "sysconfig.get_paths",
  "sysconfig.get_python_lib",
  "distutils.sysconfig.get_python_lib",
]);

/** Deletes or ends, which nothing does on import. */
export const endings = new Set([
  "shutil.rmtree",
  "os.remove",
  "os.unlink",
  "os.removedirs",
  "os.rmdir",
  "os._exit",
  "os.kill",
  "os.abort",
  "sys.exit",
  "exit",
  "quit",
]);

/** Runs a text or bytes as code. */
export const executors = new Set([
  "exec",
  "eval",
  "execfile",
  "types.FunctionType",
  "types.CodeType",
  "code.InteractiveInterpreter().runcode",
  "runpy.run_path",
]);

/** Runs a text that it is given as code, besides what else it may be given. */
export const textRunners = new Set([
  ...["timeit.timeit", "timeit.repeat", "timeit.Timer", "trace.Trace().run", "bdb.Bdb().run", "pdb.run", "pdb.runeval"],
  ...["cProfile", "profile"].flatMap((module) => [
    ...[`${module}.run`, `${module}.runctx`, `${module}.Profile().run`, `${module}.Profile().runctx`],
  ]),
  ...["code.InteractiveConsole()", "code.InteractiveInterpreter()"].flatMap((owner) => [
    ...[`${owner}.push`, `${owner}.runsource`, `${owner}.runcode`],
  ]),
  ...["_xxsubinterpreters.run_string", "_interpreters.run_string", "_interpreters.exec"],
]);

/** Makes a module of any file. */
export const fileLoaders = new Set([
  ...["SourceFileLoader", "SourcelessFileLoader", "ExtensionFileLoader"].map((name) => `importlib.machinery.${name}`),
  ...["importlib.util.spec_from_file_location", "imp.load_source", "imp.load_compiled", "imp.load_dynamic"],
  ...["runpy.run_path", "zipimport.zipimporter"],
]);

/** Modules whose functions have no harmless reason to be looked up by a name that is computed. */
export const startingModules = new Set(["os", "posix", "nt", "subprocess", "pty"]);

/** Makes code, or an object with code, of bytes. */
export const decoders = new Set([
  "base64.b64decode",
  "base64.b32decode",
  "base64.b16decode",
  "base64.b85decode",
  "base64.a85decode",
  "base64.urlsafe_b64decode",
  "base64.standard_b64decode",
  "base64.decodebytes",
  "base64.decodestring",
  "binascii.unhexlify",
  "binascii.a2b_hex",
  "binascii.a2b_base64",
  "bytes.fromhex",
  "bytearray.fromhex",
  "zlib.decompress",
  "zlib.decompressobj().decompress",
  "gzip.decompress",
  "bz2.decompress",
  "lzma.decompress",
  "marshal.loads",
  "codecs.decode",
  "cryptography.fernet.Fernet().decrypt",
  "chr",
]);

/** Loads an object and runs the code in it on the way. */
export const unpicklers = new Set([
  "pickle.loads",
  "cPickle.loads",
  "_pickle.loads",
  "dill.loads",
  "cloudpickle.loads",
]);

/** Where all variables of the environment are. */
export const environments = new Set(["os.environ", "os.environb", "posix.environ", "nt.environ"]);

/** Whether the inspection says something about a name. */
export const isWatched = (name: string): boolean =>
  reachOf(name) !== undefined ||
  [executors, textRunners, fileLoaders, decoders, unpicklers, environments, siteFolders, searchPaths].some((names) =>
    names.has(name),
  );
