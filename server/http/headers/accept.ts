import Negotiator from "negotiator";

/** The media types of an `Accept` header, the preferred one first. Parameters do not count, refused types are left out. */
export function acceptedTypes(accept: string | undefined): string[] {
  const types = new Negotiator({ headers: { accept: accept || "*/*" } }).mediaTypes();
  return types.map((type) => type.toLowerCase());
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  return negotiator.encodings(["gzip"]).length > 0;
}
