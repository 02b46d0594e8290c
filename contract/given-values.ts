import { z } from "zod";

/**
 * Reads JSON of a request by its schema. Clients in other languages send scalars in other forms: `14` or `true` where a
 * text is expected, `"true"` for a flag, `"15"` for a number, and an empty text for a record that is missing.
 */
export function readGiven<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const asGiven = schema.safeParse(given);
  return asGiven.success ? asGiven : schema.safeParse(inForm(schema, given));
}

/** The value in the form that the schema expects; unchanged if it has no such form, and then the schema refuses it. */
function inForm(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return inForm(schema.unwrap(), value);
  if (schema instanceof z.ZodPipe) return inForm(schema.in, value);
  if (schema instanceof z.ZodUnion) return inFormOfOne(schema, value);
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return textOf(value);
  if (schema instanceof z.ZodBoolean) return value === "true" ? true : value === "false" ? false : value;
  if (schema instanceof z.ZodNumber) return isWholeNumber(value) ? Number(value) : value;
  if (schema instanceof z.ZodArray)
    return Array.isArray(value) ? value.map((one) => inForm(schema.element, one)) : value;
  if (schema instanceof z.ZodObject) return value === "" ? null : membersInForm(schema, value);
  return value;
}

/** The first alternative that fits; one that fits as it is, if there is one. */
function inFormOfOne(schema: z.ZodUnion, value: unknown): unknown {
  if (schema.safeParse(value).success) return value;
  for (const option of schema.options) {
    const changed = inForm(option, value);
    if (schema.safeParse(changed).success) return changed;
  }
  return value;
}

function membersInForm({ shape }: z.ZodObject, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field ? inForm(field, member) : member];
    }),
  );
}

/** Whole numbers beyond what JavaScript counts exactly are not what was sent, so they stay numbers. */
function textOf(value: unknown): unknown {
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return value;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value : String(value);
}

const isWholeNumber = (value: unknown): boolean => typeof value === "string" && /^-?\d{1,15}$/.test(value);
