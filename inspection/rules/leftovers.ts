import type { FileRule } from "./file-rule.ts";
import { nameOf } from "./places.ts";

const names = new Set([
  ".DS_Store",
  "Thumbs.db",
  "desktop.ini",
  ".Rhistory",
  ".RData",
  "nohup.out",
  ".coverage",
  "npm-debug.log",
  ".python_history",
  ".bash_history",
]);
const folders = new Set([
  ".git",
  ".svn",
  ".hg",
  ".idea",
  ".vscode",
  ".Rproj.user",
  "__MACOSX",
  ".ipynb_checkpoints",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".nox",
]);
const endings = /(?:~|\.sw[op]|\.orig|\.rej|\.bak|\.Rcheck|\.tmp)$/;

/** What editors, systems and tools leave behind. */
export const leftOverFileRule: FileRule = {
  id: "left-over-file",
  *examine({ path }) {
    const name = nameOf(path);
    const isOne = names.has(name) || name.startsWith("._") || endings.test(name);
    if (
      isOne ||
      path
        .split("/")
        .slice(0, -1)
        .some((folder) => folders.has(folder))
    )
      yield { file: path, subject: name };
  },
};

const homes = ["/home/", "/Users/", "C:\\Users\\", "C:/Users/", "C:\\\\Users\\\\"];
const placeholders = new Set(
  "user username you me your yourname name foo bar someone runner shared public default travis circleci vsts jovyan docker ubuntu vagrant root admin myname alice bob john jane jdoe test".split(
    " ",
  ),
);

/** A path in the home folder of the person who built the package. */
export const builderPathRule: FileRule = {
  id: "builder-path",
  once: true,
  *examine({ path, text }) {
    if (!text) return;
    for (const home of homes)
      for (let at = text.text.indexOf(home); at !== -1; at = text.text.indexOf(home, at + home.length)) {
        const user = /^[A-Za-z][A-Za-z0-9._-]{0,40}/.exec(
          text.text.slice(at + home.length, at + home.length + 41),
        )?.[0];
        const separator = text.text[at + home.length + (user?.length ?? 0)] ?? "";
        const isStart = /[\s"'`=:(,[<]/.test(text.text[at - 1] ?? " ");
        if (user && isStart && /[/\\]/.test(separator) && !placeholders.has(user.toLowerCase()))
          yield { file: path, subject: home + user, ...text.found(at) };
      }
  },
};

/** Clocks differ, and zips have the time of their author's time zone. */
const toleranceMs = 2 * 24 * 60 * 60 * 1000;

/** A file that was changed later than now. */
export const futureDateRule: FileRule = {
  id: "future-date",
  once: true,
  *examine({ path, modified, now }) {
    if (modified !== null && modified > now + toleranceMs && modified < 8.64e15)
      yield { file: path, subject: new Date(modified).toISOString().slice(0, 10) };
  },
};
