import { z } from "zod";

/**
 * What a response promises. Other servers implement the API, too, and they send the fields that its description
 * promises and no others. So a response field is specific to this server unless it is declared in `promised({ … })`:
 *
 *     const token = z.object({
 *       ...promised({ id: z.int(), name: z.string() }),
 *       lifetime: z.int(),
 *     });
 *
 * This server sends every field (`Sent`, the schema itself); a client reads with `received(schema)`, which makes our
 * own fields optional. An object without promised fields is entirely our own and is read unchanged.
 */
const promisedFields = new WeakSet<object>();
const readings = new WeakMap<object, z.ZodType>();

declare const promise: unique symbol;
declare const reading: unique symbol;
type Promised<Schema> = Schema & { readonly [promise]: true };
type ReadBy<Schema, Reading> = Schema & { readonly [reading]: Reading };

/** Fields that every server with this API sends. */
export function promised<Shape extends z.ZodRawShape>(shape: Shape): { [Key in keyof Shape]: Promised<Shape[Key]> } {
  const marked = Object.entries(shape).map(([key, field]) => {
    // A copy, because one schema may be used both in promised and in other fields.
    const copy = z.clone(field);
    const read = readings.get(field);
    if (read) readings.set(copy, read);
    promisedFields.add(copy);
    return [key, copy];
  });
  return Object.fromEntries(marked) as { [Key in keyof Shape]: Promised<Shape[Key]> }; // the same schemas by the same keys
}

/** A field that clients accept in more forms than this server sends. */
export function readBy<Schema extends z.ZodType, Reading extends z.ZodType>(
  schema: Schema,
  read: Reading,
): ReadBy<Schema, Reading> {
  const copy = schema.clone();
  readings.set(copy, read);
  return copy as ReadBy<Schema, Reading>; // the registry marks it
}

/** Names of the promised fields of an object. */
export const promisedNames = (object: z.ZodObject): string[] =>
  Object.entries(object.shape).flatMap(([name, field]) => (promisedFields.has(field) ? [name] : []));

/** What this server sends. */
export type Sent<Schema extends z.ZodType> = z.output<Schema>;

type PromisedKey<Shape> = { [Key in keyof Shape]: Shape[Key] extends Promised<unknown> ? Key : never }[keyof Shape];
type OptionalKey<Shape> = { [Key in keyof Shape]: Shape[Key] extends z.ZodOptional ? Key : never }[keyof Shape];
type Certain<Shape> = [PromisedKey<Shape>] extends [never]
  ? Exclude<keyof Shape, OptionalKey<Shape>>
  : Exclude<PromisedKey<Shape>, OptionalKey<Shape>>;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** What a client can rely on: promised fields are present, our own fields may be missing. */
export type Received<Schema> =
  Schema extends ReadBy<unknown, infer Reading extends z.ZodType>
    ? z.output<Reading>
    : Schema extends z.ZodObject<infer Shape>
      ? Flat<
          { [Key in Certain<Shape>]: Received<Shape[Key]> } & {
            [Key in Exclude<keyof Shape, Certain<Shape>>]?: Received<Shape[Key]> | undefined;
          }
        >
      : Schema extends z.ZodArray<infer Element>
        ? Received<Element>[]
        : Schema extends z.ZodNullable<infer Inner>
          ? Received<Inner> | null
          : Schema extends z.ZodOptional<infer Inner>
            ? Received<Inner> | undefined
            : Schema extends z.ZodType
              ? z.output<Schema>
              : never;

const made = new WeakMap<object, z.ZodType>();

/** The schema with which a client reads what `schema` describes. */
export function received<Schema extends z.ZodType>(schema: Schema): z.ZodType<Received<Schema>> {
  return readingOf(schema) as z.ZodType<Received<Schema>>; // the type mirrors `readingOf`
}

function readingOf(schema: z.core.$ZodType): z.ZodType {
  const known = made.get(schema);
  if (known) return known;
  const built = readings.get(schema) ?? derived(schema);
  made.set(schema, built);
  return built;
}

function derived(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields: [string, z.core.$ZodType][] = Object.entries(schema.shape);
    const ours = fields.some(([, field]) => promisedFields.has(field));
    return z.object(
      Object.fromEntries(
        fields.map(([name, field]) => {
          const read = readingOf(field);
          return [name, ours && !promisedFields.has(field) ? read.optional() : read];
        }),
      ),
    );
  }
  if (schema instanceof z.ZodArray) return z.array(readingOf(schema.element));
  if (schema instanceof z.ZodNullable) return readingOf(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return readingOf(schema.unwrap()).optional();
  return schema as z.ZodType; // every schema of the contract is one of zod's full classes
}
