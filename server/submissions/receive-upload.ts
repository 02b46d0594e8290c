import type { Multipart } from "@fastify/multipart";
import { type UploadParameters, uploadParameters } from "@packhouse/contract/submissions";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../http/refusal.ts";
import { type ObjectStorage, ObjectTooLarge, type StagedObject } from "../storage/storage.ts";

/** A file that has arrived, with what was said about it. */
export interface Upload {
  parameters: UploadParameters;
  fileName: string;
  contentType: string;
  staged: StagedObject;
}

/**
 * Takes in a multipart upload as it streams: the file goes to the storage's anteroom, parameters may stand in the query
 * or in form fields, before or behind the file. Whoever gets the upload keeps or discards its bytes.
 */
export async function receiveUpload(
  request: FastifyRequest,
  query: URLSearchParams,
  storage: ObjectStorage,
  maxBytes: number,
): Promise<Upload> {
  const given = new Map<string, string[]>();
  const add = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value]);
  for (const [name, value] of query) add(name, value);
  let file: Pick<Upload, "fileName" | "contentType" | "staged"> | undefined;
  try {
    for await (const part of parts(request, maxBytes)) {
      if (part.type === "field") {
        if (typeof part.value === "string") add(part.fieldname, part.value);
      } else if (part.fieldname === "file" && !file) {
        const staged = await storage.stage(part.file, maxBytes);
        file = { fileName: baseName(part.filename), contentType: part.mimetype.toLowerCase(), staged };
        if (part.file.truncated) throw new ObjectTooLarge(maxBytes);
      } else for await (const _chunk of part.file); // another file would block the stream if nobody read it
    }
    if (!file) throw new Refusal("bad.request");
    return { ...file, parameters: readParameters(given) };
  } catch (error) {
    await file?.staged.discard();
    if (error instanceof ObjectTooLarge) throw new Refusal("payload.too.large");
    throw isMalformedForm(error) ? new Refusal("bad.request") : error;
  }
}

async function* parts(request: FastifyRequest, maxBytes: number): AsyncGenerator<Multipart> {
  yield* request.parts({ limits: { fileSize: maxBytes, fields: 30, fieldSize: 100_000, files: 10, parts: 40 } });
}

/** What the parser of forms throws has neither a class nor a code of its own; all other failures have. */
const isMalformedForm = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !("code" in error);

const flags = ["replace", "generateManual", "binary"] as const;

function readParameters(given: ReadonlyMap<string, string[]>): UploadParameters {
  if ([...given.values()].flat().some((value) => value.includes("\0"))) throw new Refusal("bad.request");
  const single = Object.fromEntries([...given].map(([name, values]) => [name, values[0]]));
  const lists = Object.fromEntries(flags.map((name) => [name, given.get(name) ?? []]));
  const result = uploadParameters.safeParse({ ...single, ...lists });
  if (!result.success) throw new Refusal("bad.request");
  return result.data;
}

/** Some clients send the whole path; only the last part is a name. */
const baseName = (name: string): string => name.split(/[/\\]/).at(-1) ?? "";
