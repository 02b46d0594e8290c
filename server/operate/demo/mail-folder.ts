import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { html } from "@packhouse/formats/html";
import type { Mailer } from "../../platform/mail/mailer.ts";

/** A mailer that sends nothing: each mail becomes a page in a folder, to be opened in a browser. */
export function mailFolder(folder: string): Mailer {
  return {
    server: folder,
    async verify() {},
    async send({ to, subject, html: body, id }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const recipient = to.address.replace(/[^a-z0-9-]/gi, "_").slice(0, 60);
      const name = `${recipient}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}.html`;
      const head = html`<meta charset="utf-8"><p>To: ${to.name} &lt;${to.address}&gt;<br>Subject: ${subject}</p><hr>`;
      await writeFile(join(folder, name), `${head.source}${body}`, { mode: 0o600 });
    },
  };
}
