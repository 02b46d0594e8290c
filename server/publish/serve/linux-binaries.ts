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

/**
 * For a folder of an R repository whose address people see and open, although clients request only files in it: the
 * address that installs from there, below the repository's, such as `["linux", "jammy"]`.
 */
export function addressOfFolder(segments: readonly string[]): string[] | undefined {
  const path = segments.at(-1) === "" ? segments.slice(0, -1) : [...segments];
  if (path.at(-1) === "contrib" && path.at(-2) === "src") path.splice(-2);
  else if (path.at(-1) === "src") path.pop();
  const [first, distribution, last] = path;
  const isAddress =
    path.length === 0 ||
    (path.length === 2 && first === "linux" && distribution !== "") ||
    (path.length === 3 && first === "__linux__" && distribution !== "" && last === "latest");
  return isAddress ? path : undefined;
}

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
