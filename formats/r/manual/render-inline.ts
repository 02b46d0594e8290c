import { type Html, html, joined, nothing } from "../../html.ts";
import { mathText } from "./math.ts";
import { hiddenMacros, plainText, type RdMacro, type RdNode, textOfSymbol } from "./rd-tree.ts";
import type { RenderContext } from "./render-context.ts";

/** Nodes within a line: everything in them becomes text and inline markup, never a block. */
export function renderInline(nodes: readonly RdNode[], context: RenderContext): Html {
  return joined(nodes.map((node) => renderInlineNode(node, context)));
}

export function renderInlineNode(node: RdNode, context: RenderContext): Html {
  if (node.kind === "break") return html`${"\n\n"}`;
  if (node.kind === "group") return renderInline(node.content, context);
  if (node.kind !== "macro")
    return html`${node.kind === "text" && !context.isCommand ? typographic(node.text) : node.text}`;
  if (hiddenMacros.has(node.name)) return nothing;
  if (node.args.length === 0) return node.name === "cr" ? html`<br>` : html`${textOfSymbol(node.name)}`;
  const render = Object.hasOwn(renderers, node.name) ? renderers[node.name] : undefined;
  return render ? render(node, context) : renderInline(node.args.flat(), context);
}

/** The branch for HTML output; undefined for a macro that is not a conditional. */
export function branchOf(macro: RdMacro): readonly RdNode[] | undefined {
  if (macro.name === "enc") return macro.args[0] ?? [];
  if (macro.name !== "if" && macro.name !== "ifelse") return undefined;
  const formats = plainText(macro.args[0] ?? []).split(",");
  const holds = formats.some((format) => ["html", "TRUE"].includes(format.trim()));
  return macro.args[holds ? 1 : 2] ?? [];
}

/** Dashes and quotes as LaTeX spells them. */
const typographic = (text: string): string =>
  text
    .replaceAll("---", "—")
    .replaceAll("--", "–")
    .replaceAll("``", "“")
    .replaceAll("''", "”")
    .replace(/`([^'`\n]+)'/g, "‘$1’")
    .replaceAll("`", "'");

type Renderer = (macro: RdMacro, context: RenderContext) => Html;

const content: Renderer = (macro, context) => renderInline(macro.args[0] ?? [], context);
const marked =
  (mark: (inner: Html) => Html): Renderer =>
  (macro, context) =>
    mark(content(macro, context));

const code = marked((inner) => html`<code>${inner}</code>`);
const strong = marked((inner) => html`<strong>${inner}</strong>`);

const branch: Renderer = (macro, context) => renderInline(branchOf(macro) ?? [], context);

const renderers: Readonly<Record<string, Renderer>> = {
  acronym: marked((inner) => html`<abbr>${inner}</abbr>`),
  bold: strong,
  cite: marked((inner) => html`<cite>${inner}</cite>`),
  code,
  command: (macro, context) => html`<code>${content(macro, { ...context, isCommand: true })}</code>`,
  deqn: renderMath,
  dfn: marked((inner) => html`<dfn>${inner}</dfn>`),
  dontrun: renderDontRun,
  dQuote: marked((inner) => html`“${inner}”`),
  email: (macro) => link(`mailto:${address(macro.args[0])}`, html`${address(macro.args[0])}`),
  emph: marked((inner) => html`<em>${inner}</em>`),
  enc: branch,
  env: code,
  eqn: renderMath,
  figure: (macro) => html`<span class="figure">[${alternative(macro)}]</span>`,
  file: marked((inner) => html`‘<span class="file">${inner}</span>’`),
  href: (macro, context) => link(address(macro.args[0]), renderInline(macro.args[1] ?? [], withoutLinks(context))),
  if: branch,
  ifelse: branch,
  kbd: marked((inner) => html`<kbd>${inner}</kbd>`),
  link: renderTopicLink,
  linkS4class: renderTopicLink,
  option: code,
  pkg: marked((inner) => html`<span class="pkg">${inner}</span>`),
  preformatted: code,
  samp: marked((inner) => html`‘<samp>${inner}</samp>’`),
  Sexpr: renderSexpr,
  sQuote: marked((inner) => html`‘${inner}’`),
  strong,
  url: (macro) => link(address(macro.args[0]), html`${address(macro.args[0])}`),
  var: marked((inner) => html`<var>${inner}</var>`),
  verb: code,
};

/** HTML does not allow nested links. */
const withoutLinks = (context: RenderContext): RenderContext => ({ ...context, targetOf: () => undefined });

function renderTopicLink(macro: RdMacro, context: RenderContext): Html {
  const topic = plainText(macro.args[0] ?? []).trim();
  const target = context.targetOf(macro.name === "linkS4class" ? `${topic}-class` : topic, macro.option);
  const inner = renderInline(macro.args[0] ?? [], withoutLinks(context));
  return target === undefined ? inner : html`<a href="#${target}">${inner}</a>`;
}

const address = (nodes: readonly RdNode[] | undefined): string => plainText(nodes ?? []).replace(/\s+/g, "");

/** Only links with these schemes leave the manual; anything else is rendered as text. */
const link = (url: string, inner: Html): Html =>
  /^(?:https?:\/\/|mailto:)./i.test(url) ? html`<a href="${url}" rel="noreferrer noopener">${inner}</a>` : inner;

/** The plain-text form: the second argument, or the only one. */
export function renderMath(macro: RdMacro): Html {
  return html`<code class="math">${mathText(plainText(macro.args.at(-1) ?? []))}</code>`;
}

/** A figure's alternative text; the file is not served. */
function alternative(macro: RdMacro): string {
  const [file = [], described = file] = macro.args;
  const text = plainText(described).trim();
  if (!text.startsWith("options:")) return text;
  const [, double, single] = /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(text) ?? [];
  return double ?? single ?? plainText(file).trim();
}

/** R puts the end on a separate line if there is more than one. */
function renderDontRun(macro: RdMacro, context: RenderContext): Html {
  const hasLines = /^\n|\n[\s\S]/.test(plainText(macro.args[0] ?? []));
  return html`## Not run: ${content(macro, context)}${hasLines ? "\n## End(Not run)" : ""}`;
}

/** R would run this code and show its result. We never run code of a package. */
function renderSexpr(macro: RdMacro): Html {
  const text = plainText(macro.args[0] ?? []).trim();
  const isHidden = /\bresults\s*=\s*"?hide\b/.test(macro.option ?? "");
  if (isHidden || text.split("\n").every((line) => /^\s*(?:#|$)/.test(line))) return nothing;
  return html`<span class="unevaluated">[not evaluated: <code>${text}</code>]</span>`;
}
