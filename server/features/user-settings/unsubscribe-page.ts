import type { MailKind } from "@packhouse/contract/mail";
import { type Html, html, joined } from "@packhouse/formats/html";
import { textsIn } from "../mail/mail-texts.ts";

const page = (language: string, title: string, content: Html): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }
button { font: inherit; padding: 0.5rem 1rem }</style>
</head>
<body><main>${content}</main></body>
</html>
`.source;

const list = (kinds: readonly MailKind[], names: Readonly<Record<MailKind, string>>): Html =>
  html`<ul>${joined(kinds.map((kind) => html`<li>${names[kind]}</li>`))}</ul>`;

/** Asks before it changes anything: programs that check the links of a mail follow them, too. */
export function questionPage(language: string, kinds: readonly MailKind[]): string {
  const { code, texts } = textsIn(language);
  const form = html`<form method="post"><button>${texts.stopButton}</button></form>`;
  return page(code, texts.stopButton, html`<h1>${texts.stopQuestion}</h1>${list(kinds, texts.kinds)}${form}`);
}

export function stoppedPage(language: string, kinds: readonly MailKind[]): string {
  const { code, texts } = textsIn(language);
  const content = html`<h1>${texts.stopped}</h1>${list(kinds, texts.kinds)}<p>${texts.stoppedHint}</p>`;
  return page(code, texts.stopped, content);
}

export function wrongLinkPage(language: string): string {
  const { code, texts } = textsIn(language);
  return page(code, texts.wrongLink, html`<h1>${texts.wrongLink}</h1><p>${texts.wrongLinkHint}</p>`);
}
