import { entropyOfText } from "./entropy.ts";
import type { FileRule } from "./file-rule.ts";
import { isOfTests, nameOf } from "./places.ts";

const keyHeader = /^-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----/;
// bounded expression: it is given the 340 characters after a header
const keyContent = /[A-Za-z0-9+/]{40}/;

/** A private key, with its content. */
export const privateKeyRule: FileRule = {
  id: "private-key",
  *examine({ path, text }) {
    if (!text) return;
    for (let at = text.text.indexOf("-----BEGIN "); at !== -1; at = text.text.indexOf("-----BEGIN ", at + 11)) {
      const header = keyHeader.exec(text.text.slice(at, at + 60))?.[0];
      if (!header || !keyContent.test(text.text.slice(at + header.length, at + 400))) continue;
      const level = isOfTests(path) ? ({ level: "notice" } as const) : {};
      yield { file: path, line: text.lineAt(at), excerpt: header, ...level };
    }
  },
};

/** One form of token: how it starts, and all of it. */
interface TokenForm {
  of: string;
  prefix: string;
  whole: RegExp;
}

const tokenForms: readonly TokenForm[] = [
  { of: "AWS", prefix: "AKIA", whole: /^AKIA[0-9A-Z]{16}(?![0-9A-Za-z])/ },
  { of: "AWS", prefix: "ASIA", whole: /^ASIA[0-9A-Z]{16}(?![0-9A-Za-z])/ },
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix) => ({
    of: "GitHub",
    prefix,
    whole: /^gh[pousr]_[A-Za-z0-9]{36}(?![0-9A-Za-z])/,
  })),
  { of: "GitHub", prefix: "github_pat_", whole: /^github_pat_[A-Za-z0-9_]{60}/ },
  { of: "GitLab", prefix: "glpat-", whole: /^glpat-[A-Za-z0-9_-]{20}/ },
  ...["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"].map((prefix) => ({
    of: "Slack",
    prefix,
    whole: /^xox[bpars]-[0-9]{6,14}-[A-Za-z0-9-]{15}/,
  })),
  {
    of: "Slack",
    prefix: "hooks.slack.com/services/",
    whole: /^hooks\.slack\.com\/services\/T[A-Z0-9]{7,12}\/B[A-Z0-9]{7,12}\/[A-Za-z0-9]{20}/,
  },
  { of: "Discord", prefix: "/api/webhooks/", whole: /^\/api\/webhooks\/[0-9]{15,20}\/[A-Za-z0-9_-]{50}/ },
  { of: "Stripe", prefix: "sk_live_", whole: /^sk_live_[A-Za-z0-9]{20}/ },
  { of: "Google", prefix: "AIza", whole: /^AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/ },
  { of: "npm", prefix: "npm_", whole: /^npm_[A-Za-z0-9]{36}(?![0-9A-Za-z])/ },
  { of: "Python packages", prefix: "pypi-AgE", whole: /^pypi-AgE[A-Za-z0-9_-]{60}/ },
  { of: "SendGrid", prefix: "SG.", whole: /^SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/ },
  { of: "OpenAI", prefix: "sk-proj-", whole: /^sk-proj-[A-Za-z0-9_-]{40}/ },
  { of: "Anthropic", prefix: "sk-ant-", whole: /^sk-ant-[A-Za-z0-9_-]{40}/ },
  { of: "Telegram", prefix: "api.telegram.org/bot", whole: /^api\.telegram\.org\/bot[0-9]{8,10}:[A-Za-z0-9_-]{35}/ },
];
const longestToken = 200;

/** Tokens of known services, which give access to something. */
export const tokenRule: FileRule = {
  id: "token",
  *examine({ path, text }) {
    if (!text) return;
    for (const { of, prefix, whole } of tokenForms)
      for (let at = text.text.indexOf(prefix); at !== -1; at = text.text.indexOf(prefix, at + prefix.length)) {
        const token = whole.exec(text.text.slice(at, at + longestToken))?.[0];
        if (token === undefined || isPartOfWord(text.text, at, prefix) || isSample(token, prefix)) continue;
        const level = isOfTests(path) ? ({ level: "notice" } as const) : {};
        // A reviewer should recognize it; the report should not spread it.
        yield {
          file: path,
          subject: of,
          line: text.lineAt(at),
          excerpt: `${token.slice(0, prefix.length + 4)}…`,
          ...level,
        };
      }
  },
};

const isPartOfWord = (text: string, at: number, prefix: string): boolean =>
  /^[A-Za-z0-9]/.test(prefix) && /^[A-Za-z0-9]/.test(text[at - 1] ?? " ");

/** As documents show them: the word, or the same character again and again. */
const isSample = (token: string, prefix: string): boolean =>
  /example|sample|x{8}|your/i.test(token) || entropyOfText(token.slice(prefix.length)) < 3;

const environmentNames = new Set([
  ".env",
  ".Renviron",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".npmrc",
  ".htpasswd",
  "credentials.json",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
]);
const samples = /\.(?:example|sample|template|dist|defaults?|schema|test)$/;

/** A file that holds what only its author's machine should know. */
export const environmentFileRule: FileRule = {
  id: "environment-file",
  *examine({ path, text }) {
    const name = nameOf(path);
    const isOne = environmentNames.has(name) || (name.startsWith(".env.") && !samples.test(name));
    if (isOne && text && text.text.trim() !== "")
      yield { file: path, subject: name, ...(isOfTests(path) ? { level: "notice" } : {}) };
  },
};
