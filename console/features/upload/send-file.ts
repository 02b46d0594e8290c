import { nameOf, pathOf } from "@packhouse/contract/operation";
import { submissionOf } from "@packhouse/contract/operations/submissions";
import type { SubmissionItem } from "@packhouse/contract/submissions";
import type { Technology } from "@packhouse/contract/technology";
import type { BinaryTarget } from "@packhouse/formats/r/binary-target";
import { readAnswer, type Success, submissionAuthorization } from "../../api/client.ts";
import { apiAddress } from "../../api/configuration.ts";
import { ApiFailure } from "../../api/failure.ts";
import { sessionToGoOn } from "../../session/session-pause.ts";

export interface UploadRequest {
  technology: Technology;
  /** Name of the repository. */
  repository: string;
  file: File;
  replace: boolean;
  notes: string;
  generateManual: boolean;
  binary: BinaryTarget | undefined;
}

/** Sends one file and reports its progress, from 0 to 1. `fetch` cannot do that, hence XMLHttpRequest. */
export async function sendFile(
  request: UploadRequest,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Success<SubmissionItem>> {
  await sessionToGoOn();
  const query = new URLSearchParams({
    repository: request.repository,
    replace: String(request.replace),
    generateManual: String(request.generateManual),
    ...(request.binary ? { binary: "true", ...request.binary } : {}),
  });
  if (request.notes !== "") query.set("changes", request.notes);
  const { upload } = submissionOf[request.technology];
  const path = pathOf(upload, {});
  const form = new FormData();
  form.append("file", request.file, request.file.name);

  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open(upload.method, apiAddress(`${path}?${query}`));
    for (const [name, value] of Object.entries(submissionAuthorization())) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    call.onerror = () => reject(new ApiFailure(undefined, null, "", null));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    call.onload = () => {
      try {
        const body = parsed(call.responseText);
        resolve(readAnswer({ operation: nameOf(upload), http: call.status, body }, upload.answer.data));
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener("abort", () => call.abort());
    call.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // anything but JSON is not a response of the API
  }
}
