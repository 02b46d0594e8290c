import { Html, html } from "../../html.ts";
import { manualStyle } from "./manual-style.ts";
import { parseRd, readMacros } from "./parse-rd.ts";
import { labeledLists } from "./rd-macros.ts";
import type { RdNode } from "./rd-tree.ts";
import { heading, renderBlocks, renderLabeled } from "./render-blocks.ts";
import type { RenderContext } from "./render-context.ts";
import { renderInline } from "./render-inline.ts";
import { systemMacros } from "./system-macros.ts";
import { fileStem, type Topic, type TopicSection, topicOf } from "./topic.ts";
import { usageText } from "./usage.ts";
import { expansionBudget } from "./user-macros.ts";

/** The input of a manual. All of it is untrusted text. */
export interface ManualSource {
  packageName: string;
  version: string;
  title: string;
  /** The fields of DESCRIPTION by name. */
  fields: ReadonlyMap<string, string>;
  /** The Rd files of `man/`. */
  files: readonly { path: string; text: string }[];
  /** The texts of `man/macros/*.Rd`, in the order of their names. */
  macros: readonly string[];
}

interface PlacedTopic extends Topic {
  id: string;
  path: string;
}

/**
 * The reference manual of a package: one self-contained page. No code of the package is run,
 * and none of its markup gets onto the page.
 */
export function renderManual(source: ManualSource): string {
  const topics = inOrder(readTopics(source), source.packageName);
  const context: RenderContext = { targetOf: linkTargets(topics, source.packageName), isCommand: false };
  const name = `${source.packageName} ${source.version}`;
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} – reference manual</title>
<style>${new Html(manualStyle)}</style>
</head>
<body>
<main>
<h1>${name}</h1>
<p class="subtitle">${source.title}</p>
<dl class="fields">
${shownFields.flatMap((field) => renderField(field, source.fields.get(field)))}</dl>
<h2>Contents</h2>
<ul class="contents">
${topics.map((topic) => html`<li><a href="#${topic.id}">${topic.name}</a> ${renderInline(topic.title, context)}</li>\n`)}</ul>
${topics.map((topic) => renderTopic(topic, context))}</main>
</body>
</html>
`;
  return page.source;
}

/** The DESCRIPTION fields that readers look for; name, version and title are above. */
const shownFields = [
  ...["Description", "Author", "Maintainer", "License", "URL", "BugReports"],
  ...["Depends", "Imports", "LinkingTo", "Suggests", "Enhances", "SystemRequirements", "Date/Publication"],
];

const renderField = (name: string, value: string | undefined): Html[] =>
  value ? [html`<dt>${name}</dt><dd>${reflowed(value)}</dd>\n`] : [];

/** Lines were wrapped to fit DESCRIPTION; only empty ones separate paragraphs. */
const reflowed = (value: string): string => value.replace(/([^\n])\n(?!\n)/g, "$1 ");

function readTopics({ files, fields, macros: macroFiles }: ManualSource): PlacedTopic[] {
  const budget = expansionBudget(files.reduce((sum, { text }) => sum + text.length, 0));
  const macros = systemMacros(fields);
  for (const text of macroFiles) readMacros(text, macros, budget);
  const ids = new Set<string>();
  return files.map(({ path, text }) => {
    const topic = topicOf(parseRd(text, macros, budget), path);
    return { ...topic, path, id: freeId(topic.name, ids) };
  });
}

/** An id that resembles the name. Its length is limited, since every link to the topic repeats it. */
function freeId(name: string, taken: Set<string>): string {
  const readable = `topic-${name.slice(0, 60).replace(/[^A-Za-z0-9._-]+/g, "_")}`;
  let id = readable;
  for (let number = taken.size; taken.has(id); number += 1) id = `${readable}-${number}`;
  taken.add(id);
  return id;
}

/**
 * By name, the package's own topic first. Internal topics, which R omits from its PDF, come last: links to them
 * work, and reviewers of the package see all of it.
 */
function inOrder(topics: readonly PlacedTopic[], packageName: string): PlacedTopic[] {
  const rank = (topic: Topic) => (topic.name === `${packageName}-package` ? 0 : topic.isInternal ? 2 : 1);
  const keyed = topics.map((topic) => ({ topic, rank: rank(topic), key: topic.name.toLowerCase() }));
  return keyed.sort((a, b) => a.rank - b.rank || compare(a.key, b.key)).map(({ topic }) => topic);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Finds topics by any of their names and, for `\link[package:file]{…}`, by their file name. */
function linkTargets(topics: readonly PlacedTopic[], packageName: string): RenderContext["targetOf"] {
  const files = new Map(topics.map(({ path, id }) => [fileStem(path), id]));
  // A topic's own name takes precedence over the same alias elsewhere.
  const aliases = new Map(topics.flatMap((topic) => topic.aliases.map((alias) => [alias, topic.id] as const)));
  for (const { name, id } of topics) aliases.set(name, id);

  return (alias, option) => {
    if (option === undefined) return aliases.get(alias);
    if (option.startsWith("=")) return aliases.get(option.slice(1));
    const [, linked = option, file = alias] = /^([^:]*):([\s\S]*)$/.exec(option) ?? [];
    return linked === packageName ? (files.get(file) ?? aliases.get(file)) : undefined;
  };
}

const topicLevel = 2;

function renderTopic(topic: PlacedTopic, context: RenderContext): Html {
  return html`<section id="${topic.id}">
${heading(topicLevel, renderInline(topic.title, context))}<p class="topic-name">${topic.name}</p>
${topic.sections.map((section) => renderSection(section, context))}</section>
`;
}

function renderSection({ kind, title, content }: TopicSection, context: RenderContext): Html {
  const level = topicLevel + 1;
  return html`${heading(level, renderInline(title, context))}${sectionContent(kind, content, context, level)}`;
}

function sectionContent(kind: string, content: readonly RdNode[], context: RenderContext, level: number): Html {
  if (kind === "usage") return html`<pre><code>${usageText(content).trim()}</code></pre>\n`;
  if (kind === "examples") return html`<pre><code>${trimmed(renderInline(content, context))}</code></pre>\n`;
  const render = labeledLists.has(kind) ? renderLabeled : renderBlocks;
  return render(content, context, level);
}

/** Removes surrounding empty lines; the first line keeps its indentation. */
const trimmed = (inner: Html): Html => new Html(inner.source.replace(/^\s*\n/, "").trimEnd());
