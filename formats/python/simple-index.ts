import { versionForms } from "./version.ts";

/** One file of a project, as the index lists it. */
export interface SimpleFile {
  fileName: string;
  /** Its address, relative to the project's page or absolute. */
  url: string;
  version: string;
  /** By `hashlib` name, lowercase hexadecimal. */
  hashes: Readonly<Record<string, string>>;
  /** The one of `hashes` that fits into the fragment of an HTML link. */
  fragmentHash: string;
  requiresPython: string | null;
  size: number;
  uploadTime: Date;
  /** SHA-256 of the METADATA file that is served next to it (PEP 658, 714). */
  coreMetadataSha256: string | null;
  /** True or a reason (PEP 592). */
  yanked?: boolean | string;
  /** Whether the link includes the version, as on RDepot's pages. */
  statesVersion?: boolean;
}

export interface Rendered {
  html: string;
  json: string;
}

const apiVersion = "1.1";

/** A project's page (PEP 503, 691, 700). Files are sorted from the oldest version to the newest. */
export function projectPage(normalizedName: string, files: readonly SimpleFile[]): Rendered {
  const ordered = files
    .map((file) => ({ file, ...versionForms(file.version) }))
    .sort((a, b) => ((a.order === b.order ? a.file.fileName < b.file.fileName : a.order < b.order) ? -1 : 1));
  const versions = [...new Set(ordered.map(({ normalized }) => normalized))];
  const sorted = ordered.map(({ file }) => file);
  const page = { meta: { "api-version": apiVersion }, name: normalizedName, versions, files: sorted.map(jsonFile) };
  return { html: htmlPage(`Links for ${normalizedName}`, sorted.map(anchor)), json: JSON.stringify(page) };
}

/** The list of projects; it should only contain those with a public file. Their pages are below `base`, if given. */
export function projectList(normalizedNames: readonly string[], base = ""): Rendered {
  const list = { meta: { "api-version": apiVersion }, projects: normalizedNames.map((name) => ({ name })) };
  return {
    html: htmlPage(
      "Simple index",
      normalizedNames.map((name) => `<a href="${escaped(base + name)}/">${escaped(name)}</a>`),
    ),
    json: JSON.stringify(list),
  };
}

function jsonFile(file: SimpleFile) {
  return {
    filename: file.fileName,
    url: file.url,
    hashes: file.hashes,
    ...(file.requiresPython === null ? {} : { "requires-python": file.requiresPython }),
    // Only under its new name: pip 22.3 to 23.0 fail on `dist-info-metadata` in JSON, which is why PEP 714 renamed it.
    "core-metadata": file.coreMetadataSha256 === null ? false : { sha256: file.coreMetadataSha256 },
    yanked: file.yanked ?? false,
    size: file.size,
    "upload-time": file.uploadTime.toISOString(),
  };
}

function anchor(file: SimpleFile): string {
  const digest = file.hashes[file.fragmentHash];
  const attributes: [string, string | null][] = [
    ["href", file.url + (digest ? `#${file.fragmentHash}=${digest}` : "")],
    ["data-requires-python", file.requiresPython],
    ["data-version", file.statesVersion ? file.version : null],
    ["data-core-metadata", file.coreMetadataSha256 && `sha256=${file.coreMetadataSha256}`],
    // The name that pip before 23.1 looks for.
    ["data-dist-info-metadata", file.coreMetadataSha256 && `sha256=${file.coreMetadataSha256}`],
    ["data-yanked", file.yanked ? (file.yanked === true ? "" : file.yanked) : null],
  ];
  const text = attributes.flatMap(([name, value]) => (value === null ? [] : [` ${name}="${escaped(value)}"`])).join("");
  return `<a${text}>${escaped(file.fileName)}</a>`;
}

const htmlPage = (title: string, anchors: readonly string[]): string =>
  `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="pypi:repository-version" content="${apiVersion}">
<title>${escaped(title)}</title>
</head>
<body>
${anchors.map((entry) => `${entry}<br>\n`).join("")}</body>
</html>
`;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A file name as a path segment: escapes `+`, too, which some readers decode as a blank. */
export const fileNameInAddress = (fileName: string): string => encodeURIComponent(fileName).replaceAll("!", "%21");

export const simpleContentTypes = {
  json: "application/vnd.pypi.simple.v1+json",
  html: "application/vnd.pypi.simple.v1+html",
  legacyHtml: "text/html",
} as const;
export type SimpleForm = keyof typeof simpleContentTypes;

/** The form for each media type that a client may accept. */
const forms = new Map<string, SimpleForm>(
  Object.entries({
    "application/vnd.pypi.simple.v1+json": "json",
    "application/vnd.pypi.simple.latest+json": "json",
    "application/vnd.pypi.simple.v1+html": "html",
    "application/vnd.pypi.simple.latest+html": "html",
    "text/html": "legacyHtml",
    "text/*": "legacyHtml",
    "application/*": "json",
    "*/*": "legacyHtml",
  }),
);

/**
 * PEP 691: the form that the client prefers; `?format=` overrides the accepted types. Undefined: none. A `+` that is
 * not escaped in the query has become a blank, which no media type contains.
 */
export function chooseSimpleForm(accepted: readonly string[], format?: string | null): SimpleForm | undefined {
  if (format) return forms.get(format.replaceAll(" ", "+").toLowerCase());
  return forms.get(accepted.find((type) => forms.has(type)) ?? "");
}
