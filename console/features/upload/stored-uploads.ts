import { submissionState } from "@packhouse/contract/references";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import { technology } from "@packhouse/contract/technology";
import { z } from "zod";
import type { Success } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { readOwn, storeOwn, tabPrefix } from "../../session/own-storage.ts";
import { tabStorage } from "../../storage/browser-storage.ts";
import { uploadOptions } from "./send-file.ts";
import type { Upload } from "./upload-queue.ts";

const key = `${tabPrefix}uploads`;

/** What a server made of a file. */
const uploadResult = z.object({
  status: z.enum(["SUCCESS", "WARNING"]),
  messageCode: z.string().nullable(),
  submission: z.object({ id: z.number(), state: submissionState, technology }),
  package: z.object({ id: z.number(), name: z.string(), version: z.string() }),
});
export type UploadResult = z.infer<typeof uploadResult>;

export const resultOf = ({ status, messageCode, data }: Success<SubmissionItem>): UploadResult => ({
  status,
  messageCode,
  submission: { id: data.id, state: data.state, technology: data.technology },
  package: { id: data.packageBag.id, name: data.packageBag.name, version: data.packageBag.version },
});

/** Files cannot be stored, so what had not been sent is interrupted after a reload. */
const storedUpload = z.object({
  fileName: z.string(),
  options: uploadOptions,
  state: z.union([
    z.object({ kind: z.literal("done"), result: uploadResult }),
    z.object({ kind: z.literal("stopped") }),
    z.object({ kind: z.literal("interrupted"), sent: z.boolean() }),
    z
      .object({
        kind: z.literal("failed"),
        failure: z.object({ status: z.number().optional(), messageCode: z.string().nullable(), message: z.string() }),
        data: z.unknown(),
      })
      .transform(({ kind, failure: { status, messageCode, message }, data }) => ({
        kind,
        error: new ApiFailure(status, messageCode, message, data),
      })),
  ]),
});

/** The uploads of this tab, so that a reload does not lose their results. */
export const storedUploads = (user: number): z.output<typeof storedUpload>[] =>
  readOwn(key, user, z.array(storedUpload), tabStorage) ?? [];

/** Browsers limit what a tab can store: what is larger is sent as well, but not shown after a reload. */
export function storeUploads(user: number, uploads: readonly Upload[]): void {
  const stored = uploads.map(({ fileName, options, state }) => ({ fileName, options, state: toStore(state) }));
  storeOwn(key, user, stored, tabStorage);
}

function toStore(state: Upload["state"]): z.input<typeof storedUpload>["state"] {
  switch (state.kind) {
    case "queued":
      return { kind: "interrupted", sent: false };
    case "sending":
      return { kind: "interrupted", sent: true };
    case "failed": {
      const { error } = state;
      const { status, messageCode, message, data } =
        error instanceof ApiFailure ? error : new ApiFailure(undefined, null, "", null);
      return { kind: "failed", failure: { ...(status === undefined ? {} : { status }), messageCode, message }, data };
    }
    default:
      return state;
  }
}
