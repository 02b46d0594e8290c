/** Texts that code of packages rarely has and that attacks have in common. */

/** Whether an environment variable holds a secret, by what the words of its name mean. */
export function isSecretVariable(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z0-9]/);
  if (words[0] === "AWS" && words.length > 1)
    return !["REGION", "PROFILE", "ENDPOINT"].some((word) => words.includes(word));
  if (words.some((word) => secretWords.has(word) || secretEndings.some((ending) => word.endsWith(ending)))) return true;
  // `PWD` alone is the folder, and a key alone may open anything.
  const isOrder = words.some((word) => orderingWords.has(word));
  return words.length > 1 && lastWords.has(words.at(-1) ?? "") && !isOrder;
}

const secretWords = new Set(
  "TOKENS SECRETS PASSWORDS PASSWD PASSPHRASE APIKEYS CREDENTIAL CREDENTIALS PAT NETRC".split(" "),
);
const secretEndings = ["TOKEN", "SECRET", "PASSWORD", "APIKEY"];
/** What a key without a secret is for. */
const orderingWords = new Set(
  "SORT INDEX PRIMARY FOREIGN PARTITION CACHE PUBLIC LOOKUP GROUP ORDER ROW COLUMN SHORTCUT HOT DICT".split(" "),
);
const lastWords = new Set("KEY KEYS AUTH PWD PASS".split(" "));

/** Folders and files where people and programs keep secrets, and those that start programs later. */
const sensitiveNames = new Set(
  [
    [".ssh", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "authorized_keys", ".gnupg", ".aws", ".azure", ".kube"],
    [".docker", ".netrc", "_netrc", ".git-credentials", ".pypirc", ".npmrc", ".pgpass", ".my.cnf", ".bash_history"],
    [".Rhistory", ".Rprofile", "Rprofile.site", ".Renviron", "Renviron.site", ".bashrc", ".bash_profile", ".profile"],
    [".zshrc", ".zprofile", ".zshenv", "crontab", "cron.d", "LaunchAgents", "Login Data", "Local State"],
    ["cookies.sqlite", "key4.db", "logins.json", "wallet.dat", "Exodus", "discordcanary", "sitecustomize.py"],
    ["usercustomize.py", "pip.conf", "pip.ini", ".condarc"],
  ].flat(),
);
const sensitiveParts = [
  ".config/gcloud",
  ".config/solana",
  ".config/autostart",
  "profile_default/startup",
  "systemd/user",
  "/etc/passwd",
  "/etc/shadow",
  "/etc/cron",
  "/proc/self/environ",
  "Local Storage/leveldb",
  "CurrentVersion/Run",
  "Start Menu/Programs/Startup",
  "/Startup/",
  "169.254.169.254",
];

/** The place of secrets, or one that starts programs, that a text names. */
export function sensitivePlace(text: string): string | undefined {
  if (text.length > 2_000 || text.startsWith("*")) return undefined;
  const path = text.replaceAll("\\", "/");
  const part = sensitiveParts.find((known) => path.includes(known));
  if (part) return part;
  const names = path.split("/");
  // A sentence about it is no path, unless one is in it.
  const isPath = !path.includes(" ") || names.length > 1 || sensitiveNames.has(path);
  return isPath ? names.find((name) => sensitiveNames.has(name)) : undefined;
}

/** Where attacks send what they found, or fetch what they run. */
const dropHosts = [
  "discord.com/api/webhooks",
  "discordapp.com/api/webhooks",
  "cdn.discordapp.com",
  "api.telegram.org/bot",
  "pastebin.com",
  "hastebin.com",
  "paste.ee",
  "rentry.co",
  ".ngrok",
  "webhook.site",
  "requestbin",
  "pipedream.net",
  "transfer.sh",
  "//file.io",
  "anonfiles",
  "burpcollaborator",
  "oastify.com",
  "interact.sh",
  "oast.",
  "dnslog",
  "//ipinfo.io",
  "api.ipify.org",
  "//bit.ly/",
  "tinyurl.com",
];

export const dropHost = (text: string): string | undefined =>
  text.length > 2_000 ? undefined : dropHosts.find((host) => text.includes(host));

/** Programs and options of a command that fetches, unpacks or hides what it runs. */
const suspiciousWords = new Set([
  "curl",
  "wget",
  "powershell",
  "powershell.exe",
  "pwsh",
  "base64",
  "certutil",
  "bitsadmin",
  "mshta",
  "regsvr32",
  "rundll32",
  "crontab",
  "schtasks",
  "osascript",
  "launchctl",
  "nc",
  "ncat",
  "netcat",
  "xclip",
  "xsel",
  "pbpaste",
]);
const suspiciousParts = [
  "/dev/tcp/",
  "http://",
  "https://",
  "| sh",
  "|sh",
  "| bash",
  "|bash",
  "bash -i",
  "sh -c",
  "rm -rf",
  "chmod +x",
  "chmod 777",
  "pip install",
  "-EncodedCommand",
  "DownloadString",
  "python -c",
  "python3 -c",
  "exec(",
  "__import__",
  "urlopen",
  "urlretrieve",
  "b64decode",
];

const starters = new Set(
  "sh bash zsh dash python python3 perl ruby node exec nohup sudo env source chmod .".split(" "),
);

/** Whether a command starts a file of the folder for temporary files, as opposed to writing one. */
function runsTemporary(command: string): boolean {
  for (let at = command.indexOf("/tmp/"); at !== -1; at = command.indexOf("/tmp/", at + 1)) {
    const words = command
      .slice(Math.max(at - 60, 0), at)
      .split(/[\s"'`([,]/)
      .filter((word) => word !== "");
    const before = words.at(-1) ?? "";
    const isMode = words.length > 1 && /^[+\-0-7][a-z0-7]*$/.test(before) && starters.has(words.at(-2) ?? "");
    if (before === "" || isMode || starters.has(before) || /[;&|]$/.test(before)) return true;
  }
  return false;
}

/** What is suspicious in a command: the program or the part. */
export function suspiciousCommand(text: string): string | undefined {
  const command = text.slice(0, 5_000);
  const part = suspiciousParts.find((known) => command.includes(known));
  if (part) return part;
  if (runsTemporary(command)) return "/tmp/";
  return command
    .split(/[\s|;&()'"`,]/)
    .map((word) => word.slice(word.lastIndexOf("/") + 1))
    .find((word) => suspiciousWords.has(word));
}

/** Hides its own code from who reads the command: encoded, or fetched and run at once. */
export function isHiddenCommand(text: string): boolean {
  const command = text.slice(0, 5_000).toLowerCase();
  const isFetched = command.includes("curl") || command.includes("wget") || command.includes("downloadstring");
  const isRun = ["| sh", "|sh", "| bash", "|bash", "iex", "invoke-expression", "| python", "|python"].some((part) =>
    command.includes(part),
  );
  const isEncoded = command.includes("-encodedcommand") || (command.includes("powershell") && command.includes(" -e"));
  return (isFetched && isRun) || isEncoded || (command.includes("base64 -d") && isRun) || command.includes("/dev/tcp/");
}

/** Whether a text is an address on the network. */
export const isAddress = (text: string): boolean => {
  const start = text.slice(0, 8).toLowerCase();
  return (
    start.startsWith("http://") ||
    start.startsWith("https://") ||
    start.startsWith("ftp://") ||
    start.startsWith("ws://")
  );
};

/** An IPv4 address, with or without a port. */
export const isNumericAddress = (text: string): boolean => {
  const parts = text.slice(0, 30).split(":")[0]?.split(".") ?? [];
  return (
    parts.length === 4 &&
    parts.every((part) => /^\d{1,3}$/.test(part)) &&
    !text.startsWith("127.") &&
    text !== "0.0.0.0"
  );
};
