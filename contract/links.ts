import { z } from "zod";

/** A link on an item or list. `type` stands on permission links only: it names the method that the caller may use. */
export const link = z.object({
  rel: z.string(),
  href: z.string(),
  type: z.enum(["PATCH", "DELETE", "POST"]).optional(),
  modifiableProperties: z.array(z.string()).optional(),
});
export type Link = z.infer<typeof link>;

export const links = z.array(link);

/** The permission link of `type` on an item, if the caller has it. Types are compared without regard to case. */
export function permissionLink(
  of: { links: readonly Link[] },
  type: "PATCH" | "DELETE",
  rel = "self",
): Link | undefined {
  return of.links.find((candidate) => candidate.rel === rel && candidate.type?.toUpperCase() === type);
}

/** Whether the item's links allow its field to be patched. A link without a list of fields allows all of them. */
export function mayPatch(of: { links: readonly Link[] }, field: string): boolean {
  const granted = permissionLink(of, "PATCH");
  if (!granted) return false;
  const fields = granted.modifiableProperties ?? [];
  return fields.length === 0 || fields.includes(field);
}

export const mayDelete = (of: { links: readonly Link[] }): boolean => permissionLink(of, "DELETE") !== undefined;

/** Whether the item offers a call of its own, such as `republish`. */
export const offers = (of: { links: readonly Link[] }, rel: string): boolean =>
  of.links.some((candidate) => candidate.rel === rel && candidate.type === "POST");
