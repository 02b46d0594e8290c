import { decodeHTML, decodeHTMLAttribute } from "entities";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { normalizeName } from "./name.ts";
import { partsOfSdistName } from "./sdist.ts";
import { isVersion } from "./version.ts";
import { partsOfWheelName } from "./wheel.ts";

/** One file of a project as another index lists it. */
export interface UpstreamFile {
  fileName: string;
  /** Absolute. */
  url: string;
  version: string;
  kind: "sdist" | "wheel";
  /** By `hashlib` name, lowercase hexadecimal. */
  hashes: Readonly<Record<string, string>>;
  yanked: boolean;
}

/** A file that is not an accepted kind of package, such as an egg. */
export interface UnsupportedFile {
  fileName: string;
  /** Null if its name does not show it. */
  version: string | null;
}

/** The page of a project. */
export interface ProjectPage {
  files: UpstreamFile[];
  unsupported: UnsupportedFile[];
}

/** Prefers JSON, with either kind of HTML as a fallback (PEP 691). */
export const acceptedSimpleForms =
  "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";

/** A response that is not a simple index, whatever its status. */
export class NoSimpleIndex extends Error {}

const isJson = (contentType: string): boolean => /^application\/(vnd\.pypi\.simple\.v1\+)?json\b/i.test(contentType);

/**
 * Reads the page of a project (PEP 503, 691). `address` is the page's final address: relative links start there.
 * Returns wheels and sdists, including `.zip`, which PEP 625 forbids for new releases only. Others are only listed.
 */
export function readProjectPage(text: string, contentType: string, address: string, project: string): ProjectPage {
  const links = isJson(contentType) ? jsonLinks(text) : htmlLinks(text);
  const unsupported: UnsupportedFile[] = [];
  const files = links.flatMap((link) => {
    if (!URL.canParse(link.url, address)) return [];
    const url = new URL(link.url, address);
    const hash = /^#(\w+)=([0-9a-fA-F]+)$/.exec(url.hash);
    url.hash = "";
    const fileName = link.fileName ?? decodedName(url.pathname);
    const parts = partsOf(fileName);
    if (!/^https?:$/.test(url.protocol)) return [];
    if (!parts || !isVersion(parts.version) || normalizeName(parts.name) !== project) {
      if (!/\.(asc|sig|metadata|provenance)$/i.test(fileName))
        unsupported.push({ fileName: fileName.slice(0, longestName), version: versionIn(fileName) });
      return [];
    }
    const hashes = hash?.[1] && hash[2] ? { [hash[1].toLowerCase()]: hash[2].toLowerCase() } : {};
    return [
      {
        fileName,
        url: url.href,
        version: parts.version,
        kind: parts.kind,
        hashes: { ...hashes, ...link.hashes },
        yanked: link.yanked,
      },
    ];
  });
  return { files, unsupported };
}

const longestName = 300;

/** The first part of a name between hyphens that starts with a version: `tool-1.0.win32.exe`, `tool-1.0-py2.7.egg`. */
function versionIn(fileName: string): string | null {
  const [, ...parts] = fileName.slice(0, longestName).split("-");
  for (const part of parts) {
    const version = /^\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.(?:post|dev)\d+)?/.exec(part)?.[0];
    if (version !== undefined && isVersion(version)) return version;
  }
  return null;
}

/** Reads the list of projects; names are normalized and unique. */
export function readProjectList(text: string, contentType: string): string[] {
  const names = isJson(contentType)
    ? listOf(parsed(text), "projects").map((project) => textOf(project, "name") ?? "")
    : anchors(text).map(({ text: name }) => name.trim());
  return [
    ...new Set(names.filter((name) => /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)).map(normalizeName)),
  ];
}

interface ReadLink {
  url: string;
  fileName?: string | undefined;
  hashes: Record<string, string>;
  yanked: boolean;
}

function jsonLinks(text: string): ReadLink[] {
  return listOf(parsed(text), "files").flatMap((file) => {
    const url = textOf(file, "url");
    if (url === undefined) return [];
    const yanked = member(file, "yanked");
    const hashes = Object.entries(recordOf(member(file, "hashes"))).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value.toLowerCase()] as const] : [],
    );
    return [
      {
        url,
        fileName: textOf(file, "filename"),
        hashes: Object.fromEntries(hashes),
        yanked: yanked === true || (typeof yanked === "string" && yanked !== ""),
      },
    ];
  });
}

const htmlLinks = (text: string): ReadLink[] =>
  anchors(text).flatMap(({ attributes }) => {
    const url = attributes.get("href");
    return url === undefined ? [] : [{ url: url.trim(), hashes: {}, yanked: attributes.has("data-yanked") }];
  });

interface Anchor {
  attributes: Map<string, string>;
  text: string;
}

const longestLinkText = 500;

/** The anchors of a page; an index ignores other elements. Nothing is read twice, whatever is left unclosed. */
function anchors(page: string): Anchor[] {
  const html = withoutComments(page);
  const start = /<a(?=[\s>])/gi;
  const found: Anchor[] = [];
  while (start.exec(html)) {
    const tag = readTag(html, start.lastIndex);
    start.lastIndex = tag.end;
    if (!tag.closed) continue;
    const text = html.slice(tag.end, tag.end + longestLinkText);
    const next = text.indexOf("<");
    found.push({ attributes: tag.attributes, text: decodeHTML(next === -1 ? text : text.slice(0, next)) });
  }
  return found;
}

const betweenAttributes = /[\s/]*/y;
const attributeName = /[^\s=<>"'/]+/y;
const equals = /\s*=\s*/y;
const bareValue = /[^\s<>"']*/y;

/** The rest of a tag after its name, up to its `>`; unclosed if another tag or the end of the page comes first. */
function readTag(html: string, from: number): { attributes: Map<string, string>; end: number; closed: boolean } {
  const attributes = new Map<string, string>();
  let at = from;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [match = ""] = pattern.exec(html) ?? [];
    at += match.length;
    return match;
  };
  for (;;) {
    take(betweenAttributes);
    const next = html[at];
    if (next === undefined || next === "<") return { attributes, end: at, closed: false };
    if (next === ">") return { attributes, end: at + 1, closed: true };
    const name = take(attributeName).toLowerCase();
    if (name === "") {
      at += 1; // a stray quote or equals sign
      continue;
    }
    if (take(equals) === "") {
      attributes.set(name, "");
      continue;
    }
    const quote = html[at] ?? "";
    if (quote !== '"' && quote !== "'") {
      attributes.set(name, decodeHTMLAttribute(take(bareValue)));
      continue;
    }
    const end = html.indexOf(quote, at + 1);
    if (end === -1) return { attributes, end: html.length, closed: false };
    attributes.set(name, decodeHTMLAttribute(html.slice(at + 1, end)));
    at = end + 1;
  }
}

function withoutComments(html: string): string {
  const [first = "", ...others] = html.split("<!--");
  return first + others.map((part) => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : "")).join("");
}

function decodedName(path: string): string {
  const last = path.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function partsOf(fileName: string): { name: string; version: string; kind: "sdist" | "wheel" } | undefined {
  try {
    if (/\.whl$/i.test(fileName)) return { ...partsOfWheelName(fileName), kind: "wheel" };
    return /\.(tar\.gz|zip)$/i.test(fileName) ? { ...partsOfSdistName(fileName, true), kind: "sdist" } : undefined;
  } catch (error) {
    if (error instanceof UnacceptablePackage) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoSimpleIndex("it is not valid JSON");
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
const member = (value: unknown, name: string): unknown => recordOf(value)[name];

function textOf(value: unknown, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === "string" ? text : undefined;
}

function listOf(value: unknown, name: string): unknown[] {
  const list = member(value, name);
  if (!Array.isArray(list)) throw new NoSimpleIndex(`it has no ${name}`);
  return list;
}
