import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { Settings } from "../settings/settings.ts";
import { oneLine } from "./one-line.ts";

/** One mail to one user. */
export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** The same for every attempt to send this mail, so that mail servers recognize a second copy. */
  id: string;
  /** Stops this kind of mail without signing in (RFC 8058). */
  unsubscribeAddress?: string;
}

export interface Mailer {
  /** Such as `mail.example.org:587`. */
  server: string;
  /** Resolves when the server has accepted the mail; fails with a `MailFailure`. */
  send(mail: Mail): Promise<void>;
  /** Connects and signs in, without sending anything. */
  verify(): Promise<void>;
}

/** Why a mail was not sent; its message never contains the password. */
export class MailFailure extends Error {
  /**
   * `refused`: the server does not accept this mail, and would not accept it later. `unsent`: it has not seen the mail.
   * `unknown`: it may have accepted it, but the connection ended before it said so.
   */
  readonly outcome: "refused" | "unsent" | "unknown";

  constructor(message: string, outcome: MailFailure["outcome"]) {
    super(message);
    this.outcome = outcome;
  }
}

const usualPorts = { tls: 465, starttls: 587, none: 25 } as const;
const longestHeader = 200;
const connectMs = 10_000;
const silenceMs = 30_000;

/** Undefined where the settings name no mail server. */
export function createMailer(settings: Settings): Mailer | undefined {
  const { "mail.host": host, "mail.fromAddress": address, "mail.user": user, "mail.password": pass } = settings;
  if (host === undefined || address === undefined) return undefined;
  const security = settings["mail.security"];
  const port = settings["mail.port"] ?? usualPorts[security];
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user !== undefined && pass !== undefined ? { auth: { user, pass } } : {}),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // A mail consists of what is in it: nothing is read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const header = (text: string) => oneLine(text, longestHeader);
  const from = { name: header(settings["mail.fromName"] ?? settings.title), address };
  const domain = address.slice(address.indexOf("@") + 1);
  const failureOf = (error: unknown) => mailFailure(error, pass);

  return {
    server: isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`,
    async send({ to, subject, text, html, id, unsubscribeAddress }) {
      const unsubscribe = unsubscribeAddress && {
        "List-Unsubscribe": `<${unsubscribeAddress}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      };
      try {
        await transport.sendMail({
          from,
          to: { name: header(to.name), address: to.address },
          subject: header(subject),
          text,
          html,
          messageId: `<${id}@${domain}>`,
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...unsubscribe },
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
    async verify() {
      try {
        await transport.verify();
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** What the mail library adds to its errors. */
const smtpError = z.object({
  message: z.string(),
  code: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  responseCode: z.int().optional().catch(undefined),
  syscall: z.string().optional().catch(undefined),
});

const beforeAnyMail = new Set(["EDNS", "ETLS", "EAUTH"]);

const longestReason = 300;

function mailFailure(error: unknown, password: string | undefined): MailFailure {
  const { message, code, command, responseCode, syscall } = smtpError.catch({ message: "unknown reason" }).parse(error);
  const reason = oneLine(password === undefined ? message : message.replaceAll(password, "…"), longestReason);
  const answered = responseCode !== undefined && responseCode > 0;
  const ofThisMail = command === "RCPT TO" || command === "DATA";
  if (answered && responseCode >= 500 && ofThisMail) return new MailFailure(reason, "refused");
  const before = answered || syscall === "connect" || (code !== undefined && beforeAnyMail.has(code));
  return new MailFailure(reason, before ? "unsent" : "unknown");
}
