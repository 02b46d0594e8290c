import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import type { PythonMetadata } from "@packhouse/formats/package-file";
import {
  fileNameInAddress,
  projectList,
  projectPage,
  type Rendered,
  type SimpleFile,
} from "@packhouse/formats/python/simple-index";
import {
  type Block,
  blockOf,
  type IndexFile,
  type IndexLayout,
  type PublicPackage,
  type RenderedAs,
} from "../records/index-layout.ts";
import { longestCompressedHere } from "./gzip-pieces.ts";

/** The forms of a page. The HTML of both media types is the same; each form is kept uncompressed and compressed. */
const forms = ["html", "json"] as const;
const codings = ["identity", "gzip"] as const;
export type PageForm = (typeof forms)[number];
export type PageCoding = (typeof codings)[number];

/** A project's page, or the list of projects: the location of each form. */
export type PythonPart = Record<PageForm, Record<PageCoding, { digest: string; size: number }>>;

const gzipAsync = promisify(gzip);

const methodOf = ({ hashMethod }: RenderedAs) => hashMethod.toLowerCase() as Lowercase<typeof hashMethod>;

/** The simple repository API: a page for each project, and the list of projects. */
export const pythonLayout: IndexLayout = {
  prefixLength: undefined,
  digestOf: methodOf,
  async renderPart(repository, packages) {
    const method = methodOf(repository);
    const name = packages[0]?.normalized_name ?? "";
    const released = packages.map((it) => {
      const { requiresPython, coreMetadata } = metadataOf(it);
      return { it, requiresPython, metadata: coreMetadata === null ? undefined : blockOf(Buffer.from(coreMetadata)) };
    });
    const page = projectPage(
      name,
      released.map(
        ({ it, requiresPython, metadata }): SimpleFile => ({
          fileName: it.file_name,
          // pdm would take an unescaped `@` for the start of a revision, and then find no file name before it.
          url: `%40blob/${it.digest}/${fileNameInAddress(it.file_name)}`,
          version: it.version,
          // Some clients refuse files without a digest that they trust, whatever the repository's own method is.
          hashes: { [method]: it.named_digest, sha256: it.digest },
          fragmentHash: method,
          requiresPython,
          size: it.size,
          uploadTime: it.uploaded_on,
          coreMetadataSha256: metadata?.digest ?? null,
        }),
      ),
    );
    const { content, blocks } = await pagePart(page);
    return {
      content,
      blocks: [...blocks, ...released.flatMap(({ metadata }) => metadata ?? [])],
      files: released.map(({ it, metadata }) => ({
        name,
        path: `${name}/${it.file_name}`,
        digest: it.digest,
        size: it.size,
        metadataDigest: metadata?.digest ?? null,
      })),
    };
  },
  renderRoot: async (keys) => ({ ...(await pagePart(projectList(await keys()))), files: [] }),
};

/** The columns of packages that the upload filled from `PythonMetadata`. */
const metadataOf = (it: PublicPackage) => it.metadata as unknown as PythonMetadata;

async function pagePart(page: Rendered): Promise<{ content: PythonPart; blocks: Block[] }> {
  const html = await pageBlocks(page.html);
  const json = await pageBlocks(page.json);
  return { content: { html: html.places, json: json.places }, blocks: [...html.blocks, ...json.blocks] };
}

async function pageBlocks(text: string) {
  const identity = blockOf(Buffer.from(text));
  const here = identity.bytes.length <= longestCompressedHere;
  const packed = blockOf(here ? gzipSync(identity.bytes) : await gzipAsync(identity.bytes));
  const place = ({ digest, bytes }: Block) => ({ digest, size: bytes.length });
  return { places: { identity: place(identity), gzip: place(packed) }, blocks: [identity, packed] };
}

export function pythonPage(part: PythonPart, form: PageForm, coding: PageCoding): IndexFile {
  const { digest, size } = part[form][coding];
  return { digest, size, body: [{ digest, offset: 0, length: size }] };
}
