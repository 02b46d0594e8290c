import { longestName } from "@packhouse/contract/limits";
import { roleName } from "@packhouse/contract/roles";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { isMailAddress } from "../names/mail-address.ts";

// Environment variables are texts; these parse other types from them.
export const flag = z.preprocess(
  (value) => (value === "true" ? true : value === "false" ? false : value),
  z.boolean("must be true or false"),
);
export const integer = (smallest: number, largest: number = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value),
    z
      .int("must be a whole number")
      .min(smallest, `must be at least ${smallest}`)
      .max(largest, `must be at most ${largest}`),
  );
function readYaml(text: string, context: z.RefinementCtx): unknown {
  try {
    return parseYaml(text);
  } catch {
    context.addIssue({ code: "custom", message: "cannot be read as YAML or JSON" });
    return z.NEVER;
  }
}
/** Reads texts as YAML, of which JSON is a part. */
const yaml = z.unknown().transform((value, context) => (typeof value === "string" ? readYaml(value, context) : value));

const parted = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
/** Separated by commas, or written as in YAML and JSON. */
export const list = z
  .unknown()
  .transform((value, context) => {
    if (typeof value !== "string") return value;
    return value.trimStart().startsWith("[") ? readYaml(value, context) : parted(value);
  })
  .pipe(z.array(z.string()));
export const roles = list.pipe(z.array(roleName));
export const optionalText = z.string().min(1).optional();

/** A user in the settings who signs in by password. */
const person = z.strictObject({
  login: z.string().min(1).max(longestName),
  name: z.string().min(1).max(longestName).optional(),
  email: z.string().min(1).max(longestName).optional(),
  role: roleName.default("user"),
  password: z.string().min(1).optional(),
  passwordHash: z.string().startsWith("$argon2id$").optional(),
});
export const people = yaml.pipe(z.array(person));

/** Who may read a restricted repository. */
const readRight = z.strictObject({
  repository: z.string().min(1),
  role: roleName.optional(),
  groups: list.default([]),
});
export const readRights = yaml.pipe(z.array(readRight));

/** Texts of the form `group=role`; groups may contain `=`, too, as directory names do. */
export const groupRoles = list.pipe(
  z.array(
    z.string().transform((pair, context) => {
      const [, group, role] = /^(.*\S)\s*=\s*(\w+)$/.exec(pair) ?? [];
      const known = roleName.safeParse(role).data;
      if (group !== undefined && known) return { group, role: known };
      context.addIssue({ code: "custom", message: "is not a list of group=role" });
      return z.NEVER;
    }),
  ),
);

/** Texts of the form `claim=value`. */
export const claimValues = list.pipe(
  z.array(
    z.string().transform((pair, context) => {
      const [, claim, value] = /^([^=\s]+)\s*=\s*(\S.*)$/.exec(pair) ?? [];
      if (claim !== undefined && value !== undefined) return { claim, value };
      context.addIssue({ code: "custom", message: "is not a list of claim=value" });
      return z.NEVER;
    }),
  ),
);

/** Scheme, host and port of an address, normalized to the form that browsers send. */
export const origins = list.pipe(
  z.array(
    z.string().transform((text, context) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url && /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname + url.search + url.hash))
        return url.origin;
      context.addIssue({ code: "custom", message: "is not a list of origins such as https://example.org" });
      return z.NEVER;
    }),
  ),
);

export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "is not a color of the form #rrggbb")
  .optional();

export const mailAddress = z
  .string()
  .refine(isMailAddress, { error: "is not one mail address such as name@example.org" });
