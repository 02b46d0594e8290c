import { versionKey } from "@packhouse/formats/r/version";
import { z } from "zod";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { isPattern, type PackageSelectors, type WantedFile, wantedFile } from "../records/mirror.ts";
import { readRIndexTask } from "./index-tasks.ts";
import { readIndex } from "./read-index.ts";
import type { Upstream } from "./upstream.ts";
import type { ReadIndex } from "./upstream-client.ts";

/** CRAN and repositories with its layout ("R Installation and Administration", 6.6). Only source packages are read. */
export const rUpstream: Upstream = {
  async parts(reading) {
    const { mirror, failed, workers } = reading;
    const wanted = JSON.stringify([mirror.packages, mirror.generate_manuals]);
    return [
      async () => {
        const contrib = `${mirror.uri}/src/contrib`;
        const shape = z.array(wantedFile);
        const read = ({ bytes }: ReadIndex) =>
          workers.run(readRIndexTask, {
            contrib,
            bytes,
            selected: mirror.packages,
            generateManuals: mirror.generate_manuals,
          });
        for (const form of ["PACKAGES.gz", "PACKAGES"]) {
          const files = await readIndex(reading, { address: `${contrib}/${form}`, accept: "*/*", wanted }, shape, read);
          if (!files) continue;
          for (const name of missingNames(mirror.packages, files)) failed(`${name}: the mirror has no such package`);
          return files;
        }
        throw new UpstreamFailure(`there is no ${contrib}/PACKAGES`);
      },
    ];
  },

  whyFetch(file, present) {
    const key = versionKey(file.version);
    const same = present.find((it) => it.kind === "source" && it.versionKey === key);
    if (!same) return "absent";
    const { digest, followsUpstream } = file;
    return followsUpstream && digest && same.digests[digest.name] !== digest.value ? "changed" : undefined;
  },
};

/** Names that were spelled out and are not offered. */
function missingNames(selected: PackageSelectors, files: readonly WantedFile[]): string[] {
  const found = new Set(files.map(({ name }) => name));
  return [...new Set((selected ?? []).map(({ name }) => name))].filter((name) => !isPattern(name) && !found.has(name));
}
