import { firstAdministrator } from "../../identity/sign-in/first-administrator.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { UpstreamFailure } from "../../platform/errors/upstream-failure.ts";
import { ObjectTooLarge, type StagedObject, stage } from "../../platform/storage/storage.ts";
import type { Deps } from "../deps.ts";
import type { ImportingMirror } from "../packages/origin.ts";
import type { UploadOutcome } from "../submissions/upload/upload.ts";
import { uploadPackage } from "../submissions/upload-package.ts";
import type { WantedFile } from "./records/mirror.ts";
import type { MirroringRepository } from "./records/store.ts";
import type { UpstreamClient } from "./upstream/upstream-client.ts";

interface Fetching {
  client: UpstreamClient;
  repository: MirroringRepository;
  mirror: ImportingMirror;
  signal: AbortSignal;
}

/**
 * Downloads a file and uploads it here, checked like any other upload. Not stored if it has come by another way in the
 * meantime. Throws `UpstreamFailure` if it cannot be downloaded, `Refusal` if it is not accepted, and of those
 * `ClashingPackage` if it would take the place of another package.
 */
export async function fetchFile(
  deps: Deps,
  { client, repository, mirror, signal }: Fetching,
  file: WantedFile,
  replace: boolean,
): Promise<UploadOutcome> {
  const staged = await download(deps, client, file, signal);
  // For each file, because a run may take hours.
  const actor = await firstAdministrator(deps).catch(async (error: unknown) => {
    await staged.discard();
    throw error;
  });
  if (!actor) {
    await staged.discard();
    throw noAdministrator();
  }
  const outcome = await uploadPackage(deps, actor, repository.technology, {
    parameters: {
      repository: repository.name,
      generateManual: file.generateManuals,
      replace,
      changes: `Mirror ${mirror.name}: ${file.address}`,
    },
    fileName: file.fileName,
    contentType: "",
    received: staged,
    mirror,
  });
  if (!outcome.stored && outcome.code === "warning.replacing.packages.disabled") throw new Refusal(outcome.code);
  return outcome;
}

/** Packages are added with the permissions of an administrator. */
export const noAdministrator = (): UpstreamFailure =>
  new UpstreamFailure("there is no active administrator, whose permissions are needed to add packages");

async function download(
  { storage, settings }: Deps,
  client: UpstreamClient,
  { address, digest }: WantedFile,
  signal: AbortSignal,
): Promise<StagedObject> {
  try {
    const staged = await stage(storage, client.download(address, signal), settings["upload.maxBytes"]);
    if (!digest || staged.digests[digest.name] === digest.value) return staged;
    await staged.discard();
    throw new UpstreamFailure(`its ${digest.name} is ${staged.digests[digest.name]}, the index says ${digest.value}`);
  } catch (error) {
    if (error instanceof ObjectTooLarge) throw new Refusal("payload.too.large");
    throw error;
  }
}
