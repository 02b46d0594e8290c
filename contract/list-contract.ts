import { z } from "zod";
import type { Received, Sent } from "./answer.ts";
import { longestParameter, mostParameters } from "./limits.ts";
import { normalizeTechnology, technology } from "./technology.ts";

/** The values of one query parameter, in the order of the address. */
const rawValues = z.array(z.string().max(longestParameter)).max(mostParameters);

/** A parameter's JSON schema in the API description. */
export interface ParameterSchema {
  type: "string" | "boolean" | "array";
  format?: "date-time";
  maxLength?: number;
  maxItems?: number;
  items?: { type: "string"; maxLength: number };
}
const parameterSchemas = new WeakMap<object, ParameterSchema>();
/** How the API description describes a parameter. */
export const parameterSchemaOf = (parameter: object): ParameterSchema | undefined => parameterSchemas.get(parameter);
export function described<Parameter extends z.ZodType>(parameter: Parameter, schema: ParameterSchema): Parameter {
  parameterSchemas.set(parameter, schema);
  return parameter;
}

const truthy = new Set(["true", "on", "yes", "1"]);
const falsy = new Set(["false", "off", "no", "0"]);

/** A search text; empty means unset. */
export const text = described(
  rawValues.transform((values) => values.find((value) => value !== "")),
  { type: "string", maxLength: longestParameter },
);

/** A flag; empty means unset, and anything but the known spellings is refused. */
export const flag = described(
  rawValues.transform((values, context) => {
    const value = values[0]?.toLowerCase() ?? "";
    if (value === "") return undefined;
    if (truthy.has(value)) return true;
    if (falsy.has(value)) return false;
    context.addIssue({ code: "custom", message: "not a boolean" });
    return z.NEVER;
  }),
  { type: "boolean" },
);

const knownValues = new WeakMap<object, readonly string[]>();
/** The values of a filter that match anything; undefined if they depend on the records. */
export const knownValuesOf = (filter: Filter): readonly string[] | undefined => knownValues.get(filter);

/**
 * Several values, one of which must match: either a repeated parameter or comma-separated values.
 * Values remain text, because an unknown one is not an error: it matches nothing. Nor does an empty parameter: a script
 * whose variable is empty must not find everything.
 */
export function anyOf(
  normalize: (value: string) => string = (value) => value,
  { mayBeEmpty = true, known }: { mayBeEmpty?: boolean; known?: readonly string[] } = {},
) {
  const filter = described(
    rawValues.transform((values, context) => {
      if (values.length === 0) return undefined;
      const parts = (values.length === 1 ? (values[0] ?? "").split(",") : values).filter((value) => value !== "");
      if (parts.length > 0 || mayBeEmpty) return parts.map(normalize);
      context.addIssue({ code: "custom", message: "no value" });
      return z.NEVER;
    }),
    { type: "array", maxItems: mostParameters, items: { type: "string", maxLength: longestParameter } },
  );
  if (known) knownValues.set(filter, known);
  return filter;
}

export const anyTechnology = anyOf(normalizeTechnology, { mayBeEmpty: false, known: technology.options });

const plainDate = /^\d{4}-\d{2}-\d{2}$/;
const instant = z.iso.datetime({ offset: true });

/** A time bound: an instant with offset, or a plain date, meaning the whole day in UTC. Anything else is ignored. */
const dateBound = (timeOfPlainDate: string) =>
  described(
    rawValues.transform((values) => {
      const value = values[0] ?? "";
      const complete = plainDate.test(value) ? `${value}T${timeOfPlainDate}Z` : value;
      if (!instant.safeParse(complete).success) return undefined;
      const at = new Date(complete);
      return Number.isNaN(at.getTime()) ? undefined : at;
    }),
    { type: "string", format: "date-time" },
  );

export const fromDate = dateBound("00:00:00");
export const toDate = dateBound("23:59:59.999");

export type Filter = z.ZodType<unknown, string[]>;
export type Filters = Record<string, Filter>;

export interface ListContract<
  Item extends z.ZodType,
  F extends Filters,
  Sort extends string,
  Path extends string = string,
> {
  readonly path: Path;
  readonly item: Item;
  readonly filters: F;
  readonly sorts: readonly Sort[];
  /** The sort fields with names that people read; each can also be sorted in natural order. */
  readonly names?: readonly Sort[];
  /** The order of a request without `sort`; by id if missing. */
  readonly defaultSort?: SortOrder<Sort>;
}

export interface SortOrder<Sort extends string = string> {
  field: Sort;
  direction: "asc" | "desc";
  /** In the order in which people look for names: A3 before a10, whatever their case. By default, by code point. */
  natural?: boolean;
}

/** Follows the name of a field that is to be sorted in natural order: `nameNatural`. */
export const naturalSuffix = "Natural";

/** What a list accepts and returns: the server checks queries with it, the console builds its screen from it. */
export function listContract<
  Item extends z.ZodType,
  const F extends Filters,
  const Sort extends string,
  const Path extends string,
>(contract: ListContract<Item, F, Sort, Path>): ListContract<Item, F, Sort, Path> {
  return contract;
}

export type AnyList = ListContract<z.ZodType, Filters, string>;
/** A list item as clients receive it, and as this server sends it. */
export type ItemOf<L extends AnyList> = Received<L["item"]>;
export type SentItemOf<L extends AnyList> = Sent<L["item"]>;
export type SortOf<L extends AnyList> = L["sorts"][number];
export type FilterValues<L extends Pick<AnyList, "filters">> = {
  [Name in keyof L["filters"]]?: Exclude<z.output<L["filters"][Name]>, undefined> | undefined;
};

/** A list request, parsed from its address. */
export interface ListQuery<L extends AnyList> {
  filters: FilterValues<L>;
  sort: SortOrder<SortOf<L>>[];
  page: number;
  size: number;
}

export const defaultPageSize = 20;
export const largestPageSize = 2000;
/** Fields that one request may sort by. */
export const mostSortFields = 50;
