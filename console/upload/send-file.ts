import { envelope } from "@packhouse/contract/envelope";
import { type SubmissionItem, submissionItem } from "@packhouse/contract/submissions";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { BinaryTarget } from "@packhouse/formats/r/binary-target";
import { z } from "zod";
import { readAnswer, type Success, submissionAuthorization } from "../api/client.ts";
import { apiAddress } from "../api/configuration.ts";
import { ApiFailure } from "../api/failure.ts";
import { sessionToGoOn } from "../session/session-pause.ts";

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
    call.open("POST", apiAddress(`/${technologyPath[request.technology]}/submissions?${query}`));
    for (const [name, value] of Object.entries(submissionAuthorization())) call.setRequestHeader(name, value);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    call.onerror = () => reject(new ApiFailure(undefined, null, "", null));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    call.onload = () => {
      try {
        resolve(readAnswer(call.status, envelope(z.unknown()).parse(JSON.parse(call.responseText)), submissionItem));
      } catch (error) {
        reject(error instanceof ApiFailure ? error : new ApiFailure(call.status, null, call.statusText, null));
      }
    };
    signal.addEventListener("abort", () => call.abort());
    call.send(form);
  });
}
