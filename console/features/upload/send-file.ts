import { submissionOf } from "@packhouse/contract/operations/submissions";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import { technology } from "@packhouse/contract/technology";
import { z } from "zod";
import { type Success, type Transport, upload } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";

/** Where a file goes, and how it is taken. */
export const uploadOptions = z.object({
  technology,
  /** Name of the repository. */
  repository: z.string(),
  replace: z.boolean(),
  notes: z.string(),
  generateManual: z.boolean(),
  binary: z.object({ rVersion: z.string(), architecture: z.string(), distribution: z.string() }).optional(),
});
export type UploadOptions = z.infer<typeof uploadOptions>;

/** Sends one file and reports its progress, from 0 to 1. */
export function sendFile(
  { file, options }: { file: File; options: UploadOptions },
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Success<SubmissionItem>> {
  const query = new URLSearchParams({
    repository: options.repository,
    replace: String(options.replace),
    generateManual: String(options.generateManual),
    ...(options.binary ? { binary: "true", ...options.binary } : {}),
  });
  if (options.notes !== "") query.set("changes", options.notes);
  const form = new FormData();
  form.append("file", file, file.name);
  return upload(submissionOf[options.technology].upload, { query, form }, withProgress(onProgress, signal));
}

/** `fetch` does not report the progress of what it sends, hence XMLHttpRequest. */
const withProgress =
  (onProgress: (part: number) => void, signal: AbortSignal): Transport =>
  (address, { method = "POST", headers, body }) =>
    new Promise((resolve, reject) => {
      const stopped = () => reject(new DOMException("stopped", "AbortError"));
      if (signal.aborted) return stopped();
      const call = new XMLHttpRequest();
      call.open(method, address);
      for (const [name, value] of new Headers(headers)) call.setRequestHeader(name, value);
      call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
      call.onerror = () => reject(new ApiFailure(undefined, null, "", null));
      call.onabort = stopped;
      call.onload = () => resolve(new Response(call.responseText, { status: call.status }));
      signal.addEventListener("abort", () => call.abort());
      call.send(body instanceof FormData ? body : null);
    });
