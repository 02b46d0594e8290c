/** Where a file of a wheel lies below `site-packages`; undefined for metadata and for what is installed elsewhere. */
export function wheelModulePath(path: string): string | undefined {
  const parts = path.split("/");
  const [first = "", second] = parts;
  if (parts.length > 1 && (first.endsWith(".dist-info") || first.endsWith(".egg-info"))) return undefined;
  if (parts.length > 1 && first.endsWith(".data"))
    return second === "purelib" || second === "platlib" ? parts.slice(2).join("/") : undefined;
  return path;
}
