import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../stages.ts";

/** What programs leave behind: it differs on each machine, or is made from what is tracked. */
const leftovers =
  /(^|\/)(__pycache__|node_modules|dist|\.cache|\.DS_Store)(\/|$)|\.(pyc|pyo|tsbuildinfo|swp|orig|rej)$/;

// A copy without its history has no list.
test.skipIf(!existsSync(join(project, ".git")))(
  "no compiled or generated file is tracked, and new ones are ignored",
  () => {
    const git = (...parameters: string[]) => execFileSync("git", parameters, { cwd: project, encoding: "utf8" });
    const tracked = git("ls-files", "-z").split("\0");
    expect(tracked.filter((path) => leftovers.test(path))).toEqual([]);
    const made = [
      "server/testing/servers/__pycache__/run-swift.cpython-311.pyc",
      "server/testing/servers/run-swift.pyc",
    ];
    expect(
      git("check-ignore", "--no-index", ...made)
        .trim()
        .split("\n"),
    ).toEqual(made);
  },
);
