import { useSyncExternalStore } from "react";
import { credentials } from "../../api/credentials.ts";
import { ApiFailure } from "../../api/failure.ts";
import { isConnectionLost, noticeLostConnection, onConnectionChange, stayWhile } from "../../api/lost-connection.ts";
import { onSignedOutElsewhere } from "../../session/stored-session.ts";
import { useOwnUser } from "../../session/use-session.ts";
import { sendFile, type UploadOptions } from "./send-file.ts";
import { resultOf, storedUploads, storeUploads, type UploadResult } from "./stored-uploads.ts";

/** Concurrent uploads; more would only slow each other down. */
const mostAtOnce = 3;
/** How often a file may lose its connection although the server responds again; then the file is the problem. */
const mostLosses = 3;

export type UploadState =
  | { kind: "queued" }
  | { kind: "sending"; part: number }
  | { kind: "done"; result: UploadResult }
  | { kind: "failed"; error: unknown }
  | { kind: "stopped" }
  /** The page was reloaded, or the session ended. `sent`: the server may have received the file. */
  | { kind: "interrupted"; sent: boolean };

export interface Upload {
  id: number;
  fileName: string;
  /** Missing after a reload: a page cannot keep files. */
  file: File | undefined;
  options: UploadOptions;
  state: UploadState;
  losses: number;
}

/** The user whose uploads these are. */
let owner: number | undefined;
let uploads: readonly Upload[] = [];
let nextId = 1;
const controllers = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function change(next: readonly Upload[], isStored = true): void {
  uploads = next;
  // What ends after its user has signed out is not left to the next user of the tab.
  if (isStored && owner !== undefined && credentials().token() !== null) storeUploads(owner, uploads);
  for (const listener of listeners) listener();
}
function set(id: number, part: Partial<Upload>): void {
  const isProgress = part.state?.kind === "sending" && part.state.part > 0;
  change(
    uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)),
    !isProgress,
  );
}

/** The uploads of a user in this tab; those from before a reload are read again. */
function uploadsOf(user: number): readonly Upload[] {
  if (owner !== user) {
    owner = user;
    for (const controller of controllers.values()) controller.abort();
    uploads = storedUploads(user).map((upload) => ({ ...upload, id: nextId++, file: undefined, losses: 0 }));
  }
  return uploads;
}

/** Queues files. Uploads continue when the screen is left, because the queue does not belong to it. */
export function enqueue(files: readonly { file: File; options: UploadOptions }[]): void {
  const added = files.map(
    ({ file, options }): Upload => ({
      id: nextId++,
      fileName: file.name,
      file,
      options,
      state: { kind: "queued" },
      losses: 0,
    }),
  );
  change([...uploads, ...added]);
  sendNext();
}

const notSent: UploadState = { kind: "interrupted", sent: false };

/** Without a connection, everything waits; without a session, nothing can be sent. */
function sendNext(): void {
  if (credentials().token() === null) {
    change(uploads.map((upload) => (upload.state.kind === "queued" ? { ...upload, state: notSent } : upload)));
    return;
  }
  if (isConnectionLost()) return;
  const running = uploads.filter(({ state }) => state.kind === "sending").length;
  for (const upload of uploads.filter(({ state }) => state.kind === "queued").slice(0, mostAtOnce - running))
    void send(upload);
}
onConnectionChange(sendNext);
// The next user to sign in there must not send what is queued here.
onSignedOutElsewhere(sendNext);

async function send({ id, file, options, losses }: Upload): Promise<void> {
  if (!file) return;
  const controller = new AbortController();
  controllers.set(id, controller);
  set(id, { state: { kind: "sending", part: 0 } });
  try {
    const success = await sendFile(
      { file, options },
      (part) => set(id, { state: { kind: "sending", part } }),
      controller.signal,
    );
    set(id, { state: { kind: "done", result: resultOf(success) } });
  } catch (error) {
    set(id, afterFailure(error, losses));
    if (isLoss(error)) noticeLostConnection();
  } finally {
    controllers.delete(id);
    sendNext();
  }
}

const isLoss = (error: unknown): boolean => error instanceof ApiFailure && error.status === undefined;

function afterFailure(error: unknown, losses: number): Pick<Upload, "state" | "losses"> {
  if (error instanceof DOMException && error.name === "AbortError") return { state: { kind: "stopped" }, losses };
  if (isLoss(error) && losses + 1 < mostLosses) return { state: { kind: "queued" }, losses: losses + 1 };
  return { state: { kind: "failed", error }, losses: 0 };
}

export function stop(id: number): void {
  const controller = controllers.get(id);
  if (controller) controller.abort();
  else set(id, { state: { kind: "stopped" } });
}

interface Again {
  file?: File;
  options?: Partial<UploadOptions>;
}
const again = (upload: Upload, { file, options }: Again = {}): Upload => ({
  ...upload,
  ...(file ? { file, fileName: file.name } : {}),
  options: { ...upload.options, ...options },
  state: { kind: "queued" },
  losses: 0,
});

/** Sends a file again, optionally another one or with other options. */
export function retry(id: number, changed: Again = {}): void {
  change(uploads.map((upload) => (upload.id === id ? again(upload, changed) : upload)));
  sendNext();
}

/** Whether it was not stored although it should have been, and can be sent again. */
export const isRetryable = ({ state, file }: Upload): boolean =>
  file !== undefined && (state.kind === "failed" || state.kind === "interrupted");
export function retryAll(): void {
  change(uploads.map((upload) => (isRetryable(upload) ? again(upload) : upload)));
  sendNext();
}

/** Whether it was not sent before the page was reloaded, so that its file has to be chosen again. */
export const lacksFile = ({ state, file }: Upload): boolean => file === undefined && state.kind === "interrupted";
/** Sends files that were chosen again, each in place of the one with its name. Returns how many have a place. */
export function supplyFiles(files: readonly File[]): number {
  const byName = new Map(files.map((file) => [file.name, file]));
  let supplied = 0;
  change(
    uploads.map((upload) => {
      const file = lacksFile(upload) ? byName.get(upload.fileName) : undefined;
      if (!file) return upload;
      supplied += 1;
      return again(upload, { file });
    }),
  );
  sendNext();
  return supplied;
}

export const clearUploads = (): void => change(uploads.filter(isUnfinished));

export const isUnfinished = ({ state }: Upload): boolean => state.kind === "queued" || state.kind === "sending";

stayWhile(() => uploads.some(isUnfinished));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useUploads(): readonly Upload[] {
  const { id } = useOwnUser();
  return useSyncExternalStore(subscribe, () => uploadsOf(id));
}
