import type { SignalLevel } from "@packhouse/contract/review/signals";

/** What a function reaches, and how much that matters. */
export interface Watched {
  signal: "process" | "network" | "environment" | "home-folder" | "clipboard" | "keyring";
  level: SignalLevel;
}

const process: Watched = { signal: "process", level: "warning" };
const network: Watched = { signal: "network", level: "warning" };
const browsing: Watched = { signal: "network", level: "notice" };
const environment: Watched = { signal: "environment", level: "notice" };
const home: Watched = { signal: "home-folder", level: "notice" };
const clipboard: Watched = { signal: "clipboard", level: "warning" };
const keyring: Watched = { signal: "keyring", level: "warning" };

type Functions = Readonly<Record<string, Watched>>;

const all = (watched: Watched, ...names: string[]): Functions =>
  Object.fromEntries(names.map((name) => [name, watched]));

/** Packages that come with R and are attached: their functions need no import. */
const attached: Functions = {
  ...all(process, "system", "system2", "shell", "shell.exec", "pipe", "dyn.load"),
  ...all(network, "download.file", "download.packages", "install.packages", "update.packages", "url", "url.show"),
  ...all(network, "socketConnection", "serverSocket", "socketAccept", "make.socket", "read.socket", "write.socket"),
  ...all(network, "nsl", "curlGetHeaders"),
  ...all(browsing, "browseURL"),
  ...all(environment, "Sys.setenv", "Sys.info"),
  ...all(home, "path.expand"),
  ...all(clipboard, "readClipboard", "writeClipboard"),
};

/** Functions of other packages; `*` is all that are called with the package's name. */
const byPackage: Readonly<Record<string, Functions>> = {
  base: attached,
  utils: attached,
  tools: { ...all(process, "Rcmd"), ...all(home, "R_user_dir") },
  processx: all(process, "run", "process", "pipeline", "*"),
  callr: all(process, ...["r", "r_bg", "r_session", "r_process", "rcmd", "rcmd_bg", "rscript", "rscript_process", "*"]),
  sys: all(process, "exec_wait", "exec_background", "exec_internal", "r_wait", "r_internal", "r_background", "*"),
  Rcpp: all(process, "evalCpp", "cppFunction", "sourceCpp"),
  compiler: all(process, "loadcmp"),
  inline: all(process, "cfunction", "cxxfunction", "rcpp"),
  reticulate: all(process, "py_run_string", "py_run_file", "source_python", "py_eval"),
  rstudioapi: all(process, "terminalExecute", "terminalSend", "sendToConsole", "jobRunScript"),
  ssh: all(process, "ssh_connect", "ssh_exec_wait", "ssh_exec_internal", "scp_upload", "*"),
  curl: all(
    network,
    ...["curl", "curl_fetch_memory", "curl_fetch_disk", "curl_fetch_stream", "curl_fetch_multi", "curl_fetch_echo"],
    ...["curl_download", "curl_upload", "multi_download", "multi_run", "multi_add", "send_mail", "nslookup"],
  ),
  httr: all(
    network,
    ...["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "VERB", "RETRY", "BROWSE", "handle", "oauth2.0_token"],
  ),
  httr2: all(
    network,
    ...["request", "req_perform", "req_perform_parallel", "req_perform_sequential", "req_perform_stream"],
    ...["req_perform_connection", "req_perform_iterative", "req_perform_promise", "req_stream", "multi_req_perform"],
  ),
  RCurl: all(
    network,
    ...["getURL", "getURLContent", "getURI", "getBinaryURL", "getForm", "postForm", "httpGET", "httpPOST", "httpPUT"],
    ...["curlPerform", "ftpUpload", "url.exists", "scp"],
  ),
  crul: all(network, "HttpClient", "HttpRequest", "Async", "ok"),
  gh: all(network, "gh", "gh_gql"),
  websocket: all(network, "WebSocket"),
  httpuv: all(network, "startServer", "runServer", "startDaemonizedServer"),
  nanonext: all(network, "ncurl", "ncurl_aio", "ncurl_session", "socket", "dial", "stream"),
  rvest: all(network, "session", "html_session", "read_html_live"),
  xml2: all(network, "download_html", "download_xml"),
  blastula: all(network, "smtp_send"),
  sendmailR: all(network, "sendmail"),
  mailR: all(network, "send.mail"),
  emayili: all(network, "server"),
  remotes: all(network, "install_github", "install_url", "install_git", "install_cran", "install_version", "*"),
  devtools: all(
    network,
    ...["install_github", "install_url", "install_git", "install_gitlab", "install_bitbucket", "install_svn"],
    ...["install_version", "install_cran", "source_url", "source_gist"],
  ),
  pak: all(network, "pkg_install", "pak", "*"),
  BiocManager: all(network, "install"),
  renv: all(network, "install", "restore", "update"),
  clipr: all(clipboard, "read_clip", "write_clip", "read_clip_tbl", "*"),
  keyring: all(keyring, "key_get", "key_list", "key_set", "key_get_raw", "*"),
  gitcreds: all(keyring, "gitcreds_get", "gitcreds_list"),
  credentials: all(keyring, "git_credential_ask", "ssh_key_info", "ssh_read_key", "set_github_pat"),
  rappdirs: all(home, "user_data_dir", "user_config_dir", "user_cache_dir", "*"),
  fs: all(home, "path_home", "path_home_r", "path_expand"),
};

const find = (functions: Functions | undefined, name: string): Watched | undefined => {
  if (!functions) return undefined;
  return Object.hasOwn(functions, name) ? functions[name] : functions["*"];
};

const functionsOf = (name: string): Functions | undefined =>
  Object.hasOwn(byPackage, name) ? byPackage[name] : undefined;

/** What a function of a package reaches. */
export const watchedIn = (packageName: string, name: string): Watched | undefined =>
  find(functionsOf(packageName), name);

/** What a function without a package in front of it reaches, whatever is imported. */
export const watchedAttached = (name: string): Watched | undefined =>
  Object.hasOwn(attached, name) ? attached[name] : undefined;

/** Packages whose function it is if NAMESPACE imports it or a file attaches the package. */
export const packagesWith = (name: string): string[] => packagesByName.get(name) ?? [];

const packagesByName = new Map<string, string[]>();
for (const [packageName, functions] of Object.entries(byPackage)) {
  if (functions === attached) continue;
  for (const name of Object.keys(functions))
    packagesByName.set(name, [...(packagesByName.get(name) ?? []), packageName]);
}

const words = (text: string): string[] => text.split(" ");

/** Where a function is given to another one: the name of the argument, and its place. */
export type Place = readonly [name: string, place: number];
const places = (place: Place, names: string): [string, Place][] => words(names).map((name) => [name, place]);

/** Call the functions that they are given, at once. */
export const applying: ReadonlyMap<string, Place> = new Map([
  ...places(
    ["FUN", 1],
    "lapply sapply vapply eapply mclapply future_lapply future_sapply forceAndCall pblapply pbsapply",
  ),
  ...places(["FUN", 2], "apply tapply by aggregate outer ave sweep parSapply parApply future_apply"),
  ...places(["fun", 2], "parLapply clusterApply clusterApplyLB"),
  ...places(["fun", 1], "clusterCall"),
  ...places(["FUN", 0], "mapply mcmapply future_mapply match.fun"),
  ...places(["f", 0], "Map Reduce Filter Position Find"),
  ...places(["f", 1], "rapply"),
  ...places(["what", 0], "do.call"),
  ...places([".fn", 0], "exec"),
  ...places([".f", 0], "invoke"),
]);

/** The same of packages where a text instead of a function is the name of a column. */
export const mapping: ReadonlySet<string> = new Set(
  words(
    "map map_chr map_int map_dbl map_lgl map_vec map_dfr map_dfc map2 map2_chr pmap imap walk walk2 pwalk iwalk " +
      "reduce accumulate keep discard detect modify invoke_map future_map future_walk partial compose possibly safely " +
      "quietly insistently as_function as_mapper",
  ),
);

/** Run what they are given later, or when something else happens. */
export const runningLater: ReadonlySet<string> = new Set(
  words(
    "makeActiveBinding delayedAssign setHook reg.finalizer setLoadAction setLoadActions on_load addTaskCallback " +
      "run_on_load evalqOnLoad later on.exit defer tryCatch withCallingHandlers globalCallingHandlers",
  ),
);

/** Keep functions for something else, or make code of their names. */
export const keeping: ReadonlySet<string> = new Set(
  words(
    "list c assign structure quote bquote expression as.name R6Class setRefClass setMethod setGeneric registerS3method " +
      "Vectorize memoise memoize setattr list2env as.environment new.env trace modifyList setNames identity " +
      "partial compose possibly safely quietly insistently as_function as_mapper",
  ),
);

/** Functions and packages that can do the same; each line is one ability. */
const abilities: readonly ReadonlySet<string>[] = [
  [...words("system system2 shell shell.exec pipe Rcmd"), ...words("processx callr sys")],
  [
    ...words("download.file url url.show curlGetHeaders browseURL"),
    ...words("curl httr httr2 RCurl crul gh rvest xml2"),
  ],
  [...words("install.packages update.packages download.packages"), ...words("remotes devtools pak BiocManager renv")],
  [
    ...words("socketConnection serverSocket socketAccept make.socket read.socket write.socket"),
    "nanonext",
    "websocket",
  ],
  words("blastula sendmailR mailR emayili"),
].map((names) => new Set(names));

/** What a function is able to do, by a name for it: a package that does it already may do it in another way. */
export function abilityOf(name: string): string {
  const names = Object.hasOwn(attached, name) ? [name] : [name, ...packagesWith(name)];
  const ability = abilities.findIndex((same) => names.some((one) => same.has(one)));
  return ability === -1 ? names.slice(1).join() || name : String(ability);
}

/** Where functions write to: a program, if the text begins with `|`. */
export const outputs: ReadonlyMap<string, Place> = new Map([
  ...places(["file", Number.POSITIVE_INFINITY], "cat capture.output save"),
  ...places(["file", 1], "write write.table write.csv write.csv2 dput dump saveRDS"),
  ...places(["file", 0], "pdf postscript xfig sink cairo_pdf file"),
  ...places(["filename", 0], "svg png jpeg tiff bmp cairo_ps bitmap"),
  ...places(["con", 1], "writeLines writeBin writeChar"),
]);

/** Arguments that name a program. */
export const programArguments: ReadonlyMap<string, readonly string[]> = new Map([
  ["untar", ["tar", "extras"]],
  ["tar", ["tar", "extra_flags"]],
  ["unzip", ["unzip"]],
  ["zip", ["zip", "flags", "extras"]],
  ["file.edit", ["editor"]],
  ["edit", ["editor"]],
  ["file.show", ["pager"]],
  ["page", ["pager"]],
  ["browseURL", ["browser"]],
  ["texi2dvi", ["texi2dvi"]],
  ["texi2pdf", ["texi2dvi"]],
  ["postscript", ["command"]],
  ["fread", ["cmd"]],
  ["aspell", ["program"]],
]);

/** Names of programs and downloads that nobody gives to anything else. */
export const unmistakable: ReadonlySet<string> = new Set([
  "system",
  "system2",
  "shell.exec",
  "download.file",
  "socketConnection",
  "install.packages",
]);
