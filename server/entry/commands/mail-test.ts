import { randomUUID } from "node:crypto";
import { html } from "@packhouse/formats/html";
import { z } from "zod";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { createMailer, MailFailure } from "../../platform/mail/mailer.ts";
import { isMailAddress } from "../../platform/names/mail-address.ts";
import { readSettings } from "../../platform/settings/settings.ts";
import { argument, command } from "./command.ts";

const address = z.string({ error: "an address is needed" }).refine(isMailAddress, { error: "is not a mail address" });

export const mailTest = command({
  name: "mail test",
  summary: "Sends a mail to try the mail server of the settings.",
  details: `It uses the settings of the server and nothing else: neither its database nor a running server.
Exit code 0: the mail server has accepted the mail. 2: it has not, and the reason is shown.`,
  arguments: { address: argument(address, "Where the mail is sent.") },
  async run({ environment, arguments: { address: to }, print }) {
    const settings = readSettings(environment);
    const mailer = createMailer(settings);
    if (!mailer) throw new OperatorError("No mail server is set: mail.host and mail.fromAddress (docs/mail.md).");
    const line = `${settings.title} can send mail through ${mailer.server}.`;
    try {
      await mailer.send({
        to: { name: "", address: to },
        subject: `Test mail from ${settings.title}`,
        text: `${line}\n`,
        html: html`<p>${line}</p>`.source,
        id: randomUUID(),
      });
    } catch (error) {
      if (error instanceof MailFailure)
        throw new OperatorError(`${mailer.server} did not accept it: ${error.message}.`);
      throw error;
    }
    print(`${mailer.server} has accepted a test mail for ${to}.`);
  },
});
