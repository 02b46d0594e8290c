import { Html, html, joined } from "../../html.ts";
import { labeledLists, plainLists } from "./rd-macros.ts";
import { plainText, type RdMacro, type RdNode } from "./rd-tree.ts";
import type { RenderContext } from "./render-context.ts";
import { branchOf, renderInline, renderInlineNode, renderMath } from "./render-inline.ts";

/** Nodes as paragraphs, lists and tables. `level` is that of the heading above them. */
export function renderBlocks(nodes: readonly RdNode[], context: RenderContext, level: number): Html {
  const flow = new Flow();
  addNodes(nodes, { flow, context, level });
  return flow.end();
}

/** `\arguments` and `\value`: their items are mixed with other text. */
export function renderLabeled(nodes: readonly RdNode[], context: RenderContext, level: number): Html {
  const flow = new Flow();
  addLabeled(nodes, { flow, context, level }, codeLabel);
  return flow.end();
}

/** Blocks under construction: inline content is collected until something ends the paragraph. */
class Flow {
  readonly #blocks: Html[] = [];
  #line: Html[] = [];

  inline(part: Html): void {
    this.#line.push(part);
  }

  block(part: Html): void {
    this.endParagraph();
    this.#blocks.push(part);
  }

  endParagraph(): void {
    const line = joined(this.#line).source.trim();
    this.#line = [];
    if (line !== "") this.#blocks.push(html`<p>${new Html(line)}</p>\n`);
  }

  end(): Html {
    this.endParagraph();
    return joined(this.#blocks);
  }
}

interface Place {
  flow: Flow;
  context: RenderContext;
  level: number;
}

function addNodes(nodes: readonly RdNode[], place: Place): void {
  for (const node of nodes) addNode(node, place);
}

function addNode(node: RdNode, place: Place): void {
  if (node.kind === "break") place.flow.endParagraph();
  else if (node.kind === "group") addNodes(node.content, place);
  else if (node.kind !== "macro" || !node.holdsBlocks) addTransparent(node, place);
  else if (labeledLists.has(node.name)) addLabeled(node.args[0] ?? [], place, plainLabel);
  else if (plainLists.has(node.name)) addPlainList(node, place);
  else addBlock(node, place);
}

function addBlock(macro: RdMacro, place: Place): void {
  const render = blocks.get(macro.name);
  if (render) place.flow.block(render(macro, place));
  // Emphasis and the like cannot contain a block; the block takes precedence.
  else addNodes(branchOf(macro) ?? macro.args.flat(), place);
}

/** A conditional may contain the end of a paragraph. */
function addTransparent(node: RdNode, place: Place): void {
  const branch = node.kind === "macro" ? branchOf(node) : undefined;
  if (branch) addNodes(branch, place);
  else place.flow.inline(renderInlineNode(node, place.context));
}

const blocks: ReadonlyMap<string, (macro: RdMacro, place: Place) => Html> = new Map([
  ["deqn", (macro: RdMacro) => html`<p class="display">${renderMath(macro)}</p>\n`],
  ["preformatted", (macro: RdMacro) => html`<pre>${plainText(macro.args[0] ?? [])}</pre>\n`],
  ["subsection", renderSubsection],
  ["tabular", renderTabular],
]);

function renderSubsection({ args: [title = [], content = []] }: RdMacro, { context, level }: Place): Html {
  return html`${heading(level + 1, renderInline(title, context))}${renderBlocks(content, context, level + 1)}`;
}

/** HTML has only six levels of headings. */
export const heading = (level: number, inner: Html): Html => {
  const tag = new Html(`h${Math.min(level, 6)}`);
  return html`<${tag}>${inner}</${tag}>\n`;
};

const isItem = (node: RdNode): node is RdMacro => node.kind === "macro" && node.name === "item";
const isBlank = (node: RdNode): boolean => node.kind === "break" || (node.kind === "text" && node.text.trim() === "");

/** The nodes between separators. There is always one more piece than separators. */
function split(nodes: readonly RdNode[], parts: (node: RdNode) => boolean): RdNode[][] {
  const pieces: RdNode[][] = [];
  let piece: RdNode[] = [];
  for (const node of nodes) {
    if (parts(node)) {
      pieces.push(piece);
      piece = [];
    } else piece.push(node);
  }
  return [...pieces, piece];
}

function addPlainList(macro: RdMacro, { flow, context, level }: Place): void {
  const [before = [], ...entries] = split(macro.args[0] ?? [], isItem);
  flow.endParagraph();
  addNodes(before, { flow, context, level });
  const items = entries.map((entry) => html`<li>${renderBlocks(entry, context, level)}</li>\n`);
  if (items.length === 0) return;
  flow.block(macro.name === "enumerate" ? html`<ol>\n${items}</ol>\n` : html`<ul>\n${items}</ul>\n`);
}

type Label = (nodes: readonly RdNode[], context: RenderContext) => Html;

const plainLabel: Label = renderInline;

/** Arguments and components are names in R's language, unless the author already marked them up. */
const codeLabel: Label = (nodes, context) => {
  const [first] = nodes;
  const isMarked = first?.kind === "macro" && first.name === "code";
  return isMarked ? renderInline(nodes, context) : html`<code>${renderInline(nodes, context)}</code>`;
};

/** Consecutive items form one list. */
function addLabeled(nodes: readonly RdNode[], { flow, context, level }: Place, label: Label): void {
  let entries: Html[] = [];
  const endList = () => {
    if (entries.length > 0) flow.block(html`<dl>\n${entries}</dl>\n`);
    entries = [];
  };
  flow.endParagraph();
  for (const node of nodes) {
    if (isItem(node)) {
      const [name = [], text = []] = node.args;
      entries.push(html`<dt>${label(name, context)}</dt><dd>${renderBlocks(text, context, level)}</dd>\n`);
    } else if (entries.length === 0 || !isBlank(node)) {
      endList();
      addNode(node, { flow, context, level });
    }
  }
  endList();
}

const isMacro = (name: string) => (node: RdNode) => node.kind === "macro" && node.name === name;
const alignments: Readonly<Record<string, string>> = { l: "left", c: "center", r: "right" };

function renderTabular({ args: [format = [], content = []] }: RdMacro, { context, level }: Place): Html {
  const columns = [...plainText(format).replace(/[^lcr]/g, "")];
  const rows = split(content, isMacro("cr")).filter((row, index, all) => index < all.length - 1 || !row.every(isBlank));
  const cell = (nodes: readonly RdNode[], index: number) => {
    const holdsBlocks = nodes.some((node) => node.kind === "macro" && node.holdsBlocks);
    const inner = holdsBlocks ? renderBlocks(nodes, context, level) : renderInline(nodes, context);
    return html`<td class="${alignments[columns[index] ?? "l"] ?? "left"}">${inner}</td>`;
  };
  const lines = rows.map((row) => html`<tr>${split(row, isMacro("tab")).map(cell)}</tr>\n`);
  return html`<div class="wide"><table>\n${lines}</table></div>\n`;
}
