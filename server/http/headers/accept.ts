import Negotiator from "negotiator";

/** The media types of an `Accept` header, the preferred one first. Parameters do not count, refused types are left out. */
export function acceptedTypes(accept: string | undefined): string[] {
  const types = new Negotiator({ headers: { accept: accept || "*/*" } }).mediaTypes();
  return types.map((type) => type.toLowerCase());
}

/** The language that the reader prefers among these; the first one if none of them is accepted. */
export function preferredLanguage<L extends string>(
  acceptLanguage: string | undefined,
  offered: readonly [L, ...L[]],
): L {
  const [preferred] = new Negotiator({ headers: { "accept-language": acceptLanguage } }).languages([...offered]);
  return offered.find((language) => language === preferred) ?? offered[0];
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  return negotiator.encodings(["gzip"]).length > 0;
}
