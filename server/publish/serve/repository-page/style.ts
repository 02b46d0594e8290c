/** Roles of the console's colors that the page uses; `scripts/rules/repository-page-colors.test.ts` compares the two. */
export const pageColors = {
  canvas: ["#0e1617", "#f1f5f6"],
  surface: ["#131d1e", "#ffffff"],
  sunken: ["#080f0f", "#ebeff0"],
  line: ["#2b383a", "#d7dedf"],
  strong: ["#ecf1f2", "#111c1d"],
  text: ["#cbd3d4", "#2d3b3c"],
  muted: ["#9ba7a9", "#505e60"],
  brand: ["#58c3c4", "#0f6b6c"],
} as const satisfies Record<string, readonly [dark: string, light: string]>;

const colorsOf = (theme: 0 | 1): string =>
  Object.entries(pageColors)
    .map(([role, colors]) => `--${role}:${colors[theme]};`)
    .join("");

/** The page's only style. Nothing is loaded for it, and its digest is the only one that the page's policy allows. */
export const pageStyle = `
:root{color-scheme:light dark;${colorsOf(1)}}
@media (prefers-color-scheme:dark){:root{${colorsOf(0)}}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px 48px;background:var(--canvas);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:860px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:8px}
h1,h2,h3{color:var(--strong);line-height:1.3;margin:0}
h1{font-size:1.5rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin-top:32px}
h3{font-size:.9rem;margin-top:16px}
p{margin:12px 0 0}
.quiet{color:var(--muted)}
.notice{padding-left:12px;border-left:3px solid var(--brand);color:var(--strong)}
pre{margin:6px 0 0;padding:10px 12px;overflow-x:auto;background:var(--sunken);border:1px solid var(--line);border-radius:5px;color:var(--strong);font:.875rem/1.5 ui-monospace,monospace;user-select:all}
a{color:var(--brand)}
a:focus-visible,pre:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.links{margin-top:32px;padding-top:8px;border-top:1px solid var(--line)}
@media (max-width:480px){body{padding:0}main{border:0;border-radius:0;padding:16px;min-height:100vh}}
`;
