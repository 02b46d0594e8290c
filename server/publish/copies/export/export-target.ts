import { randomUUID } from "node:crypto";
import { lstat, readlink, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { hasReadRight } from "../../../identity/read-rights.ts";
import { makeFolder } from "../../../platform/make-folder.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { ObjectStorage } from "../../../platform/storage/storage.ts";
import type { PublicationTarget } from "../publication-target.ts";
import { exportedFiles } from "./exported-files.ts";
import { newestVersion, removeVersionsBut, writeVersion } from "./version-folder.ts";

interface Context {
  storage: ObjectStorage;
  settings: Settings;
}

/** Next to the repositories: the folders that their names point to, one for each state. */
const versionsFolder = ".packhouse";

/**
 * Plain files that any web server can serve. Each state of a repository is a folder of its own; its name is a symbolic
 * link to the newest one, so that it changes atomically and a crash leaves what is served.
 */
export function exportTarget({ storage, settings }: Context): PublicationTarget {
  const root = settings["publication.exportFolder"] && resolve(settings["publication.exportFolder"]);

  return {
    name: "folder",
    placeOf(repository) {
      // A plain web server would serve it to everyone.
      const isClosed = repository.requires_authentication || hasReadRight(settings, repository.name);
      return root === undefined || isClosed ? undefined : join(root, safeName(repository.name));
    },
    async deliver({ place }, repository, content) {
      if (dirname(place) !== root) throw new Error(`the settings do not name the folder of ${place}`);
      const versions = versionsOf(place);
      await makeFolder(versions, 0o777);
      const previous = await servedVersion(place);
      if (previous === undefined) await checkFree(place);
      const version = join(versions, `${repository.serial}-${randomUUID()}`);
      const newest = previous === undefined ? undefined : await newestVersion(versions, previous);
      try {
        await writeVersion(version, exportedFiles(content, storage), newest);
      } catch (error) {
        // It is tried again and again: what each attempt has written would fill the disk.
        await removeVersionsBut(versions, previous === undefined ? undefined : join(versions, previous));
        throw error;
      }
      await pointTo(place, version);
      await removeVersionsBut(versions, version);
      return { withdrawnToo: content.withdrawn.length > 0 };
    },
    async withdraw({ place }) {
      // Never change a folder other than the one in the settings.
      if (root === undefined || dirname(place) !== root) return;
      if (await servedVersion(place)) await rm(place);
      await rm(versionsOf(place), { recursive: true, force: true });
    },
  };
}

const versionsOf = (place: string): string => join(dirname(place), versionsFolder, basename(place));

/** The folder name of a repository; names that would lead elsewhere, or to our own files, are refused. */
export function safeName(name: string): string {
  if (name === "" || /^\.{1,2}$/.test(name) || /[/\\\0]/.test(name) || name === versionsFolder)
    throw new Error("a repository of this name cannot be written to a folder");
  return name;
}

/** The name of the version that a place points to; undefined when nothing is there, or something else. */
async function servedVersion(place: string): Promise<string | undefined> {
  const target = await readlink(place).catch(() => undefined);
  if (target === undefined) return undefined;
  const version = resolve(dirname(place), target);
  return dirname(version) === versionsOf(place) ? basename(version) : undefined;
}

/** Never replace what someone else has put there. */
async function checkFree(place: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found) throw new Error(`${place} was not written by Packhouse`);
}

async function pointTo(place: string, version: string): Promise<void> {
  const link = join(versionsOf(place), `link-${randomUUID()}`);
  await symlink(relative(dirname(place), version), link);
  await rename(link, place);
}
