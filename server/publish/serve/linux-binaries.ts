/**
 * The paths that a path below an R repository stands for: itself, or below `linux/{distribution}` the binaries for the
 * requesting client, then the sources. (R looks for packages in `src/contrib` on Linux, so that address has to serve
 * binaries; Posit's package manager has the other spelling, which renv and pak know.)
 */
export function rPaths(
  segments: readonly string[],
  userAgent: string | undefined,
): { paths: readonly string[]; vary: readonly string[] } {
  const path = segments.join("/");
  const [, distribution, file] = spellings.map((spelling) => spelling.exec(path)).find(Boolean) ?? [];
  if (distribution === undefined || file === undefined) return { paths: [path], vary: [] };
  const client = clientOf(userAgent);
  const binaries = client ? [`bin/linux/${distribution}/${client.architecture}/${client.minor}/${file}`] : [];
  return { paths: [...binaries, `src/contrib/${file}`], vary: ["User-Agent"] };
}

const spellings = [/^linux\/([^/]+)\/src\/contrib\/(.+)$/, /^__linux__\/([^/]+)\/latest\/src\/contrib\/(.+)$/];

/** R identifies itself as `R (4.2.2 x86_64-pc-linux-gnu x86_64 linux-gnu)`: version, platform, architecture, system. */
function clientOf(userAgent = ""): { minor: string; architecture: string } | undefined {
  for (const part of userAgent.split("R (").slice(1)) {
    const end = part.indexOf(")");
    const [version = "", platform, architecture, system, ...others] = part.slice(0, Math.max(end, 0)).split(" ");
    const minor = /^\d+\.\d+/.exec(version)?.[0];
    if (minor && platform && architecture && system && others.length === 0) return { minor, architecture };
  }
  return undefined;
}
