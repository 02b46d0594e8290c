import { createHash } from "node:crypto";
import type { Technology } from "@packhouse/contract/technology";
import { Html, html, joined } from "@packhouse/formats/html";
import { commands } from "./commands.ts";
import { pageStyle } from "./style.ts";
import type { PageTexts } from "./texts.ts";

/** What the page of a repository shows. */
export interface ShownRepository {
  id: number;
  name: string;
  technology: Technology;
  requiresAuthentication: boolean;
  /** The snapshot that the address names; undefined: the current state. */
  snapshot: { segment: string; serial: number } | undefined;
  /** R: the segments below the repository's address that lead to binaries for a Linux distribution; empty: none. */
  below: readonly string[];
}

interface Around {
  /** Scheme, host and path prefix under which the reader reached this server. */
  server: string;
  /** The name of this installation. */
  title: string;
  texts: PageTexts;
}

const styleDigest = createHash("sha256").update(pageStyle).digest("base64");

/** Nothing but the page's own style: no script, no picture from elsewhere, no form, no frame. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleDigest}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page for people who open the address of a repository in a browser: what it is and how to use it. */
export function repositoryPage(shown: ShownRepository, { server, title, texts }: Around): string {
  const { name, technology, snapshot, requiresAuthentication } = shown;
  const current = `${server}/repo/${inAddress(name)}`;
  const address = snapshot ? `${current}/${inAddress(snapshot.segment)}` : current;
  const used = requiresAuthentication ? address.replace("://", "://LOGIN:TOKEN@") : address;
  const below = shown.below.map((segment) => `/${inAddress(segment)}`).join("");
  const { index, install } = commands[technology]({ address, used, below, name });
  const link = (href: string, text: string) => html`<p><a href="${href}">${text}</a></p>`;
  const notice = (text: string, more: Html) => html`<p class="notice">${text}</p>\n${more}`;
  const ways = install.map(({ client, command }) => html`<h3>${client}</h3>\n<pre tabindex="0">${command}</pre>\n`);
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${name} – ${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<main>
<h1>${name}</h1>
${snapshot ? notice(texts.snapshot(snapshot.serial), link(`${current}/`, texts.current)) : ""}
<p>${texts.lead[technology]}</p>
<pre tabindex="0">${address + below + index.client}</pre>
<h2>${texts.use}</h2>
<p class="quiet">${texts.placeholder}</p>
${requiresAuthentication ? notice(texts.credentials, link(`${server}/settings-tokens`, texts.token)) : ""}
${joined(ways)}
<div class="links">
${link(`${server}/repositories/${technology}/${shown.id}`, texts.console(title))}
${link(address + index.read, texts.index)}
</div>
</main>
</body>
</html>
`.source;
}

/** A segment of an address that needs no quotes in any shell, in R or in TOML, whatever the name of the repository is. */
const inAddress = (segment: string): string =>
  encodeURIComponent(segment.toWellFormed())
    .replaceAll("%3A", ":")
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^%40/, "@");
