import type { FileRule } from "./file-rule.ts";
import { isProgram } from "./places.ts";

const schemes = new Set("http https ftp ftps sftp ws wss tcp udp ssh git ldap smb socks5 gopher telnet".split(" "));

/** Named in every other file as references to standards and licenses, or not hosts that anyone can reach. */
const harmless = new Set(
  "localhost example.com example.org example.net www.example.com www.example.org doi.org dx.doi.org www.doi.org www.w3.org json-schema.org schemas.microsoft.com schemas.openxmlformats.org www.gnu.org www.apache.org opensource.org creativecommons.org www.boost.org docs.python.org peps.python.org www.r-project.org stackoverflow.com en.wikipedia.org".split(
    " ",
  ),
);

/** Hosts and addresses that code names outside of its comments. */
export const hostRule: FileRule = {
  id: "host",
  once: true,
  *examine({ path, text }) {
    if (!text || !isProgram(path)) return;
    for (const { host, at } of [...hostsIn(text.text), ...addressesIn(text.text)])
      if (!harmless.has(host) && !isLocal(host) && !text.isInComment(at))
        yield { subject: host, file: path, ...text.found(at) };
  },
};

interface Found {
  host: string;
  at: number;
}

/** The hosts of addresses with a scheme. */
export function* hostsIn(text: string): Generator<Found> {
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    const scheme = /[a-z0-9]{1,10}$/i.exec(text.slice(Math.max(at - 10, 0), at))?.[0] ?? "";
    if (!schemes.has(scheme.toLowerCase())) continue;
    const authority = /^[^\s/"'`<>\\?#)]{1,300}/.exec(text.slice(at + 3, at + 303))?.[0] ?? "";
    const name = authority.slice(authority.lastIndexOf("@") + 1).split(":")[0] ?? "";
    const host = /^[\p{L}\p{N}.-]{1,253}/u.exec(name)?.[0].toLowerCase() ?? "";
    // Without a dot, it is a placeholder or a name of the local network.
    if (host === name.toLowerCase() && host.includes(".") && !host.startsWith(".") && !host.endsWith("."))
      yield { host, at };
  }
}

/** IPv4 addresses that are a text of their own, or the beginning of one. */
function* addressesIn(text: string): Generator<Found> {
  for (const { 0: host, index } of text.matchAll(/[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}/g)) {
    const [before = "", after = ""] = [text[index - 1], text[index + host.length]];
    const numbers = host.split(".").map(Number);
    if (
      /["'`@]/.test(before) &&
      /["'`:/]/.test(after) &&
      numbers.every((number) => number < 256) &&
      (numbers[0] ?? 0) > 10
    )
      yield { host, at: index };
  }
}

/** Addresses of this machine and of private networks (RFC 1918, RFC 3927). */
function isLocal(host: string): boolean {
  const [first = 0, second = 0, ...rest] = host.split(".").map(Number);
  if (rest.length !== 2 || rest.some(Number.isNaN)) return host.endsWith(".localhost") || host.endsWith(".invalid");
  return (
    [0, 10, 127, 255].includes(first) ||
    (first === 192 && second === 168) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 169 && second === 254) ||
    first >= 224
  );
}
