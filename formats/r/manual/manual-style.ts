/**
 * Styles of a manual: for phone screens and for paper, light or dark like the reader's system, or as the embedding page
 * sets the root's `color-scheme`.
 */
export const manualStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1d2429, #dfe5e8);
  --muted: light-dark(#56626a, #9dabb3);
  --ground: light-dark(#fff, #14191c);
  --sunken: light-dark(#f3f5f6, #1f262b);
  --line: light-dark(#d5dbdf, #39444b);
  --link: light-dark(#0b6477, #6cc3d5);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.5em 0 0.5em; }
h1 { font-size: 1.75rem; margin-top: 0; }
h2 { font-size: 1.375rem; }
h3 { font-size: 1.0625rem; }
h4, h5, h6 { font-size: 1rem; }
a { color: var(--link); }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; }
.topic-name { color: var(--muted); margin: 0; }
.subtitle { font-size: 1.125rem; margin-top: -0.5em; }
code, pre, kbd, samp, .topic-name, .file, .pkg { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.9em; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; padding: 0.75rem; overflow-x: auto; overflow-wrap: normal; tab-size: 4; }
pre code { font-size: 1em; }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; }
td { padding: 0.15rem 0.9rem 0.15rem 0; vertical-align: top; }
.right { text-align: right; }
.center, .display { text-align: center; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem 1.5rem; }
dd > p:first-child, li > p:first-child { margin-top: 0; }
dd > p:last-child, li > p:last-child { margin-bottom: 0; }
.fields dd { white-space: pre-line; }
@media (min-width: 40rem) {
  .fields { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; }
  .fields dd { margin: 0; }
}
.contents { padding-left: 0; list-style: none; }
.unevaluated, .figure { color: var(--muted); }
@media print {
  main { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  h2, h3, h4, dt { break-after: avoid; }
  a { color: inherit; }
}
`;
