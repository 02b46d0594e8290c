import { describe, expect, test } from "vitest";
import { mailPassword, mailUser, startMailServer } from "../../testing/servers/mail-server.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { createMailer, type Mail, MailFailure } from "./mailer.ts";

const mailerOf = (settings: Partial<Settings>) => {
  const mailer = createMailer({ ...readSettings({}), ...settings });
  if (!mailer) throw new Error("these settings name a mail server");
  return mailer;
};
const mail: Mail = {
  to: { name: "Mara Lindqvist", address: "mara@example.org" },
  subject: "Zażółć gęślą jaźń",
  text: "Text",
  html: "<p>HTML</p>",
  id: "00000000-0000-4000-8000-000000000001",
  unsubscribeAddress: "https://packages.example.org/mail/unsubscribe/1",
};
const failureOf = async (sending: Promise<void>): Promise<MailFailure> => {
  const failure = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof MailFailure) return failure;
  throw new Error("a mail failure was expected");
};

describe("mail", () => {
  test.each(["starttls", "tls"] as const)("is sent over a connection that %s encrypts, signed in", async (security) => {
    await using server = await startMailServer({ security });
    const mailer = mailerOf({ ...server.settings, "mail.fromName": "Build Team" });
    await mailer.verify();
    await mailer.send(mail);
    const [received] = server.mails;
    expect(received).toMatchObject({ to: "mara@example.org", encrypted: true, user: mailUser, subject: mail.subject });
    expect(Object.fromEntries(received?.headers ?? [])).toMatchObject({
      from: "Build Team <packhouse@example.org>",
      to: "Mara Lindqvist <mara@example.org>",
      "message-id": "<00000000-0000-4000-8000-000000000001@example.org>",
      "auto-submitted": "auto-generated",
      "list-unsubscribe": "<https://packages.example.org/mail/unsubscribe/1>",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      "mime-version": "1.0",
      date: expect.stringMatching(/^\w{3}, \d{1,2} \w{3} \d{4} /),
    });
    expect([received?.text.trim(), received?.html.trim()]).toEqual(["Text", "<p>HTML</p>"]);
  });

  test("is sent without encryption and sign-in only where the settings say so", async () => {
    await using server = await startMailServer({ security: "none" });
    await mailerOf(server.settings).send(mail);
    expect(server.mails[0]).toMatchObject({ encrypted: false, user: undefined });
    const failure = await failureOf(mailerOf({ ...server.settings, "mail.security": "starttls" }).send(mail));
    expect([failure.outcome, server.mails.length]).toEqual(["unsent", 1]);
  });

  test("is not sent to a server with a certificate that is not trusted", async () => {
    await using server = await startMailServer({ trusted: false });
    expect((await failureOf(mailerOf(server.settings).send(mail))).message).toMatch(/self-signed/);
    expect(server.attempts).toBe(0);
  });

  test("that cannot be sent fails with a reason that has no password", async () => {
    await using server = await startMailServer();
    const wrong = { ...server.settings, "mail.password": "wrong-password" };
    const failure = await failureOf(mailerOf(wrong).verify());
    expect(failure.message).toMatch(/535/);
    expect(failure.message).not.toMatch(new RegExp(`wrong-password|${mailPassword}`));
    expect(failure.outcome).toBe("unsent");
    await server[Symbol.asyncDispose]();
    expect((await failureOf(mailerOf(server.settings).send(mail))).message).toMatch(/ECONNREFUSED/);
  });

  test("that the server refuses differs from mail that it postpones or may have accepted", async () => {
    await using server = await startMailServer();
    const mailer = mailerOf(server.settings);
    server.next.push("refuse", "postpone", "break");
    const outcomes = [];
    for (let attempt = 0; attempt < 3; attempt += 1) outcomes.push((await failureOf(mailer.send(mail))).outcome);
    expect(outcomes).toEqual(["refused", "unsent", "unknown"]);
    expect([server.attempts, server.mails.length]).toEqual([3, 1]);
  });

  test("has headers that no name or subject can add to", async () => {
    await using server = await startMailServer();
    await mailerOf(server.settings).send({
      ...mail,
      to: { name: 'Mara"\r\nBcc: everyone@example.org\r\n\r\nHello, \u202Eeve', address: "mara@example.org" },
      subject: `tidepool\r\nBcc: everyone@example.org\r\n\r\n${"x".repeat(10_000)}`,
    });
    const [received] = server.mails;
    expect(received?.to).toBe("mara@example.org");
    expect(received?.headers.has("bcc")).toBe(false);
    expect(received?.subject).toMatch(/^tidepool Bcc: everyone@example.org x+…$/);
    expect(received?.subject.length).toBeLessThan(250);
    expect(received?.text.trim()).toBe("Text");
  });
});
