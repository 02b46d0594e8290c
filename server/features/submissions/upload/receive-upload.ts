import type { Multipart } from "@fastify/multipart";
import { type UploadParameters, uploadParameters } from "@packhouse/contract/submissions";
import type { FastifyRequest } from "fastify";
import { hasCode } from "../../../platform/errors/has-code.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { type ObjectStorage, ObjectTooLarge, type ReceivedObject } from "../../../platform/storage/storage.ts";

/** A file that has arrived. Its receiver keeps or discards the bytes. */
export interface ReceivedFile {
  fileName: string;
  /** According to the client, in lower case. */
  contentType: string;
  received: ReceivedObject;
}

/** A file and the parameters sent with it. */
export interface Upload extends ReceivedFile {
  parameters: UploadParameters;
}

/** An upload of the API: parameters may be in the query or in form fields, before or after the file. */
export async function receiveUpload(
  request: FastifyRequest,
  query: URLSearchParams,
  storage: ObjectStorage,
  maxBytes: number,
): Promise<Upload> {
  const { file, fields } = await receiveForm(request, storage, "file", maxBytes);
  try {
    const given = new Map<string, string[]>();
    for (const name of new Set([...query.keys(), ...fields.keys()]))
      given.set(name, [...query.getAll(name), ...(fields.get(name) ?? [])]);
    return { ...file, parameters: readParameters(given) };
  } catch (error) {
    await file.received.discard();
    throw error;
  }
}

/**
 * Receives a form as it streams: its file goes to the staging area of the storage, its fields are collected. Further
 * files are not kept, only the names of their fields.
 */
export async function receiveForm(
  request: FastifyRequest,
  storage: ObjectStorage,
  fileField: string,
  maxBytes: number,
): Promise<{ file: ReceivedFile; fields: ReadonlyMap<string, string[]>; otherFiles: ReadonlySet<string> }> {
  const fields = new Map<string, string[]>();
  const otherFiles = new Set<string>();
  const formBytes = Number(request.headers["content-length"] ?? 0); // mostly those of its file
  let fieldBytes = 0;
  let file: ReceivedFile | undefined;
  try {
    for await (const part of parts(request, maxBytes)) {
      if (part.type === "field") {
        if (typeof part.value !== "string") continue;
        fieldBytes += Buffer.byteLength(part.value);
        if (fieldBytes > mostFieldBytes) throw new ObjectTooLarge(mostFieldBytes);
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), part.value]);
      } else if (part.fieldname === fileField && !file) {
        // A part may be a file by its type alone, without a name.
        const described = { fileName: baseName(part.filename ?? ""), contentType: part.mimetype.toLowerCase() };
        file = { ...described, received: await storage.receive(part.file, maxBytes, formBytes) };
        if (part.file.truncated) throw new ObjectTooLarge(maxBytes);
      } else {
        otherFiles.add(part.fieldname);
        for await (const _chunk of part.file); // an unread second file would block the stream
      }
    }
    if (!file) throw new Refusal("bad.request");
    return { file, fields, otherFiles };
  } catch (error) {
    await file?.received.discard();
    // Browsers read an answer only after they have sent everything, so the rest has to be consumed.
    request.raw.unpipe().resume();
    if (error instanceof ObjectTooLarge) throw new Refusal("payload.too.large");
    throw isMalformedForm(error) || isClientGone(error) ? new Refusal("bad.request") : error;
  }
}

/** Room for a long README and many classifiers, which twine and uv send with the file. */
const mostFieldBytes = 4 * 1024 * 1024;
const formLimits = { fields: 1000, fieldSize: mostFieldBytes, files: 10, parts: 1010 };

async function* parts(request: FastifyRequest, maxBytes: number): AsyncGenerator<Multipart> {
  yield* request.parts({ limits: { ...formLimits, fileSize: maxBytes } });
}

/** Errors of the form parser have neither a class nor a code of their own; all other failures have. */
const isMalformedForm = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !("code" in error);

const isClientGone = (error: unknown): boolean => hasCode(error, "ECONNRESET");

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
