import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { SMTPServer } from "smtp-server";
import { type Settings, variableOf } from "../../platform/settings/settings.ts";
import { makeCertificate } from "./certificate.ts";

export const mailUser = "packhouse";
export const mailPassword = "pass word-of-the-mail-server";

/** A mail as the server has received it. */
export interface ReceivedMail {
  /** Of the envelope. */
  to: string;
  /** As sent, with its headers. */
  raw: string;
  /** By lower-case name, unfolded. */
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
  encrypted: boolean;
  user: string | undefined;
}

export interface MailServer extends AsyncDisposable {
  /** Settings of a product that sends through it. */
  settings: Partial<Settings>;
  /** The same for another process, which trusts the certificate. */
  environment: Record<string, string>;
  mails: ReceivedMail[];
  /** Resolves with all mails once there are this many. */
  received(count: number): Promise<ReceivedMail[]>;
  /**
   * What happens to the next mail: refused permanently, refused temporarily, or accepted over a connection that ends before the
   * answer.
   */
  next: ("refuse" | "postpone" | "break")[];
  /** Attempts to send a mail, whatever became of them. */
  attempts: number;
}

interface MailServerOptions {
  security?: "starttls" | "tls" | "none";
  /** Without it a certificate is one that nobody trusts. */
  trusted?: boolean;
}

/** Less than a test may take, which then says what is missing. */
const mostWaitMs = 90_000;

/** A real SMTP server on loopback, with a certificate made for it. */
export async function startMailServer({
  security = "starttls",
  trusted = true,
}: MailServerOptions = {}): Promise<MailServer> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-mail-"));
  const { key, certificate } = await makeCertificate(folder);
  const cert = await readFile(certificate, "utf8");
  if (trusted) setDefaultCACertificates([...getCACertificates("default"), cert]);
  const mails: ReceivedMail[] = [];
  const state = { attempts: 0 };
  const next: MailServer["next"] = [];
  const server = new SMTPServer({
    key: await readFile(key, "utf8"),
    cert,
    secure: security === "tls",
    authOptional: security === "none",
    disabledCommands: security === "none" ? ["STARTTLS", "AUTH"] : [],
    logger: false,
    onAuth({ username, password }, _session, done) {
      const right = username === mailUser && password === mailPassword;
      done(right ? null : new Error(`Wrong credentials of ${username}`), right ? { user: username } : undefined);
    },
    onData(stream, session, done) {
      void buffer(stream).then((bytes) => {
        state.attempts += 1;
        const what = next.shift();
        if (what === "refuse" || what === "postpone") {
          const code = what === "refuse" ? 550 : 451;
          return done(Object.assign(new Error("Not this mail"), { responseCode: code }));
        }
        mails.push(readMail(bytes, session));
        if (what === "break") {
          // Accepted, but the client never gets to know.
          for (const connection of server.connections) connection._socket.destroy();
          return;
        }
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.server.address() as AddressInfo; // it listens on a port
  const settings: Partial<Settings> = {
    "mail.host": "localhost",
    "mail.port": port,
    "mail.security": security,
    "mail.fromAddress": "packhouse@example.org",
    "mail.collectSeconds": 0,
    ...(security === "none" ? {} : { "mail.user": mailUser, "mail.password": mailPassword }),
  };
  return {
    mails,
    next,
    get attempts() {
      return state.attempts;
    },
    settings,
    environment: {
      NODE_EXTRA_CA_CERTS: certificate,
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [variableOf(name), String(value)])),
    },
    async received(count) {
      const deadline = Date.now() + mostWaitMs;
      while (mails.length < count) {
        if (Date.now() > deadline) {
          const subjects = mails.map(({ to, subject }) => `\n${to}: ${subject}`).join("");
          throw new Error(
            `${mails.length} mails arrived instead of ${count}, in ${state.attempts} attempts:${subjects}`,
          );
        }
        await sleep(10);
      }
      return mails;
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((closed) => server.close(() => closed()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Session {
  envelope: { rcptTo: { address: string }[] };
  secure: boolean;
  user?: unknown;
}

function readMail(bytes: Buffer, session: Session): ReceivedMail {
  const raw = bytes.toString("utf8");
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const headers = headersOf(head);
  return {
    to: session.envelope.rcptTo.map(({ address }) => address).join(),
    raw,
    headers,
    subject: decodeWords(headers.get("subject") ?? ""),
    text: partOf(raw, "text/plain"),
    html: partOf(raw, "text/html"),
    encrypted: session.secure,
    user: typeof session.user === "string" ? session.user : undefined,
  };
}

const headersOf = (head: string): Map<string, string> =>
  new Map(
    head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );

/** Words of a header as of RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("utf8")
        : quotedPrintable(word.replaceAll("_", " ")),
    );

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  ).toString("utf8");

/** The decoded content of one part of a mail with two. */
function partOf(raw: string, type: string): string {
  const boundary = /boundary="?([^"\r\n;]+)"?/.exec(raw)?.[1];
  const part = raw.split(`--${boundary}`).find((one) => one.toLowerCase().includes(`content-type: ${type}`)) ?? "";
  const at = part.indexOf("\r\n\r\n");
  const encoding = headersOf(part.slice(0, at).trim()).get("content-transfer-encoding");
  const content = part.slice(at + 4);
  if (encoding === "base64") return Buffer.from(content, "base64").toString("utf8");
  return encoding === "quoted-printable" ? quotedPrintable(content) : content;
}
