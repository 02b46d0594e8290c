import { type SubmissionItem, submissionItem } from "@packhouse/contract/submissions";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { BinaryTarget } from "@packhouse/formats/r/binary-target";
import { operationOf, readAnswer, type Success, submissionAuthorization } from "../../api/client.ts";
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

/** Sends one file and tells how far it is, from 0 to 1. `fetch` cannot tell that, so this is the older interface. */
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
  const form = new FormData();
  form.append("file", request.file, request.file.name);

  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const address = apiAddress(`/${technologyPath[request.technology]}/submissions?${query}`);
    call.open("POST", address);
    for (const [name, value] of Object.entries(submissionAuthorization())) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    call.onerror = () => reject(new ApiFailure(undefined, null, "", null));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    call.onload = () => {
      try {
        const answered = {
          operation: operationOf("POST", address),
          http: call.status,
          body: parsed(call.responseText),
        };
        resolve(readAnswer(answered, submissionItem));
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
    return undefined; // what is not JSON is not an answer of the API
  }
}
