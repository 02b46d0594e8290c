import { z } from "zod";
import { promised, type Received, readBy } from "./answer.ts";

/** Readers ignore letter case. */
const linkType = readBy(
  z.enum(["PATCH", "DELETE", "POST"]),
  z.string().transform((type) => type.toUpperCase()),
);

/** A link on an item or list. Only permission links have a `type`: the method that the caller may use. */
export const link = z.object(
  promised({
    rel: z.string(),
    href: z.string(),
    type: linkType.optional(),
    modifiableProperties: z.array(z.string()).optional(),
  }),
);
export type Link = z.infer<typeof link>;

/** An item with its links, as a client receives it. */
export interface Linked {
  links: readonly Received<typeof link>[];
}

export const links = z.array(link);

/** The permission link of `type` on an item, if the caller has it. */
export function permissionLink(
  of: Linked,
  type: "PATCH" | "DELETE",
  rel = "self",
): Linked["links"][number] | undefined {
  return of.links.find((candidate) => candidate.rel === rel && candidate.type === type);
}

/** The permission to patch an item: any of its properties, or only to delete or restore it. */
export const patchLink = (href: string, { onlyDeletion }: { onlyDeletion: boolean }): Link => ({
  rel: "self",
  href,
  type: "PATCH",
  ...(onlyDeletion ? { modifiableProperties: ["deleted"] } : {}),
});

/** Whether the item's links allow a field to be patched. A link without a list of fields allows all of them. */
export function mayPatch(of: Linked, field: string): boolean {
  const granted = permissionLink(of, "PATCH");
  if (!granted) return false;
  const fields = granted.modifiableProperties ?? [];
  return fields.length === 0 || fields.includes(field);
}

/**
 * Whether a deleted item can be restored: then nothing else can be changed, and its link lists only that field.
 * A link that lists no fields, or more than one, comes from a server that cannot restore.
 */
export function mayRestore(of: Linked): boolean {
  const fields = permissionLink(of, "PATCH")?.modifiableProperties ?? [];
  return fields.length === 1 && fields[0] === "deleted";
}

export const mayDelete = (of: Linked): boolean => permissionLink(of, "DELETE") !== undefined;

/** Whether the item offers a call such as `republish`. */
export const offers = (of: Linked, rel: string): boolean =>
  of.links.some((candidate) => candidate.rel === rel && candidate.type === "POST");
