import {
  type SignalCategory,
  type SignalId,
  type SignalRule,
  signalIds,
  signalRules,
} from "@packhouse/contract/review/signals";

/** The meaning of each signal, as `docs/signals.md` explains it. */
const meanings: Record<SignalId, string> = {
  "r-configure": "`configure` runs when the package is installed from source.",
  "r-cleanup": "`cleanup` runs after the package was installed from source.",
  "r-makevars-shell": "`src/Makevars` runs shell commands.",
  "r-install-libs": "`src/install.libs.R` runs when the package is installed from source.",
  "r-help-code": "Code in a help page starts programs or opens connections when the package is built or installed.",
  "build-script": "A build script downloads something, or hides what it runs.",
  "py-setup-code": "`setup.py` does more than call `setup`.",
  "py-in-tree-backend": "The package is built by its own code.",
  "py-build-requirements": "The packages that are required to build it have changed.",
  "py-pth-file": "A `.pth` file, which Python runs at every start.",
  "py-site-customize": "A module that Python imports at every start.",
  "py-outside-own-names": "The wheel has files outside its own top-level names.",
  "py-data-scripts": "The wheel installs files into the environment, or scripts.",
  "r-on-load": "`.onLoad` or `.onAttach` reaches out when the package is loaded.",
  "r-top-level-call": "R code calls functions while the package is installed.",
  "import-hook": "Code changes how Python imports modules, or functions of other modules.",
  "native-constructor": "Compiled code runs as soon as its library is loaded.",
  "py-import-time-call": "Importing the package runs processes, opens connections or executes text.",
  process: "Code starts programs.",
  network: "Code opens connections.",
  "secret-environment": "Code reads environment variables that hold secrets.",
  environment: "Code reads environment variables.",
  "home-folder": "Code reads or writes in the user's home folder.",
  clipboard: "Code uses the clipboard.",
  keyring: "Code uses the system's keyring.",
  host: "Code names a host or an address.",
  "decoded-code": "Code executes text that it decodes or puts together.",
  "code-from-file": "Code runs a file that no import names.",
  "encoded-text": "Code contains long base64, hexadecimal or escaped strings.",
  "high-entropy": "A file of unknown type looks random, as encrypted code does.",
  "long-line": "Code has a line of more than 5,000 characters, or hides its end behind spaces.",
  "invisible-characters": "Code contains characters that are not shown, or that change the order of what is shown.",
  "mixed-scripts": "A name in code mixes letters that look alike.",
  "bytecode-without-source":
    "Compiled code comes without the source that it was compiled from, or runs in place of it whatever it contains.",
  "linked-code":
    "A link stands where code is expected; a warning if what it leads to is named as code, too, and a notice in tests.",
  "content-differs-from-name":
    "The content of a file does not match its name, or code contains bytes that have no place in it.",
  "r-data-with-code": "R data contains functions, promises or environments.",
  "pickle-with-code": "A pickle runs commands or code when it is loaded.",
  "new-executable": "A compiled program or library that earlier releases did not have.",
  "similar-name": "The name is within one edit of that of a package here, or of one that many use.",
  "similar-dependency": "A new dependency has a name within one edit of a well-known one.",
  "others-module": "A top-level module belongs to another package.",
  "well-known-command": "A command has the name of a well-known one.",
  "wheel-differs-from-sdist":
    "The Python files of a wheel differ from those of its source distribution; a notice for a file in which the build records the version and that does nothing else.",
  "private-key": "A private key.",
  token: "A token of a known service.",
  "environment-file": "A file with values that should not leave its author's machine.",
  "left-over-file": "A file that an editor, a system or a tool left behind.",
  "builder-path": "A path in the home folder of the person who built the package.",
  "author-changed": "The authors differ from those of the base.",
  "maintainer-changed":
    "The maintainer differs from that of the base; a notice if only the address differs, if the base named the person, or if the person joins those of the base.",
  "first-submission": "The first submission by this user.",
  "version-lower": "The version is lower than the newest one.",
  "undeclared-dependency": "The files that build a package require others that `PKG-INFO` does not list.",
  "other-source": "Dependencies come from an address, or from another repository.",
  "version-jump": "The version number skips many others.",
  "version-returns": "A deleted version comes back with different bytes.",
  "license-changed": "The license differs from that of the base; a notice if only its wording may have changed.",
  "future-date": "A file has a date in the future.",
  "breaking-in-patch":
    "Calls that work with the base no longer do, although the version number indicates a patch release and is not a date; a notice for methods and for modules below the top level.",
  unparsed:
    "A source file could not be parsed and was examined as plain text, or R data or an archive of Python code was not examined.",
  incomplete: "Not everything was examined.",
};

const categories: Record<SignalCategory, string> = {
  installation: "Runs during installation",
  loading: "Runs when loaded",
  reach: "Reaches out",
  hiding: "Hides",
  impersonation: "Is not what it seems",
  leak: "Leaks",
  provenance: "Provenance",
  completeness: "Completeness",
};

/** The manual's list of signals, from their table. */
export function signalsPage(): string {
  const rules = signalIds.map((id): SignalRule & { id: SignalId } => ({ ...signalRules[id], id }));
  const sections = Object.entries(categories).map(([category, title]) => {
    const rows = rules.filter((rule) => rule.category === category).map(row);
    return `## ${title}\n\n| Signal | Level | Packages | Meaning |\n|---|---|---|---|\n${rows.join("")}`;
  });
  return `${introduction}\n${sections.join("\n")}`;
}

const introduction = `# Signals

Signals are what the [review desk](review.md) points out in a release. The level applies to what is new compared with the base. In a package without a base, signals count as notices at most, except those marked with *, which are dangerous on their own.
`;

const row = ({ id, level, technology, dangerousAlone }: SignalRule & { id: SignalId }): string =>
  `| \`${id}\` | ${level}${dangerousAlone ? "*" : ""} | ${technology ?? "all"} | ${meanings[id]} |\n`;
