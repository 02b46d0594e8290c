import type { Signal } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { found, signalsOf } from "../testing/signals-of-sources.ts";

const inModule = (text: string): Signal[] => signalsOf({ files: { "orchard/__init__.py": text } });

describe("environment, home folder", () => {
  test.each([
    ["import os, requests\ndef f(): requests.post(u, data=os.environ)", "warning secret-environment os.environ"],
    [
      "import posix, requests\ndef f(): requests.post(u, json=dict(posix.environ))",
      "warning secret-environment os.environ",
    ],
    [
      "import os, requests\ndef e(): return dict(os.environ)\ndef f(): requests.post(u, json=e())",
      "warning secret-environment os.environ",
    ],
    [
      "import os, requests\nclass A:\n    def e(self):\n        self.env = os.environ.copy()\n    def f(self):\n        requests.post(u, json=self.env)",
      "warning secret-environment os.environ",
    ],
    ["import os, subprocess\ndef f(): subprocess.run(x, env=dict(os.environ, A='1'))", "notice environment os.environ"],
    ["import os\ndef f(): return os.environ['GITHUB_TOKEN']", "warning secret-environment GITHUB_TOKEN"],
    [
      "from os import environ as e\ndef f(): return e.get('AWS_SECRET_ACCESS_KEY')",
      "warning secret-environment AWS_SECRET_ACCESS_KEY",
    ],
    ["import os\ndef f(): return os.getenv('DB_PASSWORD')", "warning secret-environment DB_PASSWORD"],
    ["import os, json\ndef f(): return json.dumps(dict(os.environ))", "warning secret-environment os.environ"],
    ["import os\ndef f(): return f'{os.environ}'", "warning secret-environment os.environ"],
    ["import os\ndef f(): return os.environ['ORCHARD_COLOR']", "notice environment ORCHARD_COLOR"],
    ["import os\nos.environ['PIP_INDEX_URL'] = url", "warning environment PIP_INDEX_URL"],
    ["import os\ndef f(): os.environ['https_proxy'] = url", "warning environment https_proxy"],
    ["def f(): return open('/home/x/.config/pip/pip.conf', 'w')", "warning home-folder pip.conf"],
    ["def f(): return '~/.ipython/profile_default/startup/a.py'", "warning home-folder profile_default/startup"],
    ["import os\ndef f(): return os.environ.copy()", "notice environment os.environ"],
    ["import os\ndef f(): return os.path.expanduser('~/.orchard')", "notice home-folder ~/.orchard"],
    ["from pathlib import Path\ndef f(): return Path.home()", "notice home-folder pathlib.Path.home"],
    ["def f(): return open('/home/x/.ssh/id_rsa')", "warning home-folder .ssh"],
    ["def f(): return open('/home/x/.bashrc', 'a')", "warning home-folder .bashrc"],
    ["def f(): return open('/home/x/.netrc')", "warning home-folder .netrc"],
    ["def f(path='~/.netrc'): return path", "notice home-folder .netrc"],
    ["import os\ndef f(): return os.environ['ORCHARD_SORT_KEY']", "notice environment ORCHARD_SORT_KEY"],
  ])("%j is %j", (text, expected) => {
    expect(found(inModule(text))).toContain(expected);
  });

  test("a sentence that names a file reads nothing", () => {
    expect(inModule("def f(): raise ValueError('not found in .pypirc')\nx = '*.bashrc'\n")).toEqual([]);
  });

  test("writing a variable and asking whether it is set read nothing", () => {
    expect(
      inModule("import os\nos.environ['A_TOKEN'] = '1'\nx = 'A_TOKEN' in os.environ\ndel os.environ['A']\n"),
    ).toEqual([]);
  });
});
