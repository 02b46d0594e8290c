import { largestListBytes, longestListText } from "@packhouse/contract/limits";

/** Lengths that texts are cut to until a list fits; the last one always does. */
const lengths = [longestListText, 2000, 500, 100, 20, 0] as const;

interface ListLimits {
  /** Characters that the database has cut texts to, and one more where there were more. */
  textLimit?: number | undefined;
  largestBytes?: number;
}

/**
 * The JSON of an answer with a list, in no more bytes than clients and memory bear. Texts of items are cut to
 * `textLimit` characters, and to fewer where all together are still too large. The record that holds a text which was
 * cut has the names of those fields in `shortened`.
 */
export function fitList(
  data: object,
  wrap: (data: unknown) => unknown,
  { textLimit = longestListText, largestBytes = largestListBytes }: ListLimits = {},
): string {
  let json = "";
  for (const length of [textLimit, ...lengths.filter((length) => length < textLimit)]) {
    json = JSON.stringify(wrap(shortened(data, length)));
    if (Buffer.byteLength(json) <= largestBytes) return json;
  }
  return json;
}

/** The same with texts cut; what has nothing to cut is left as it is. */
const shortened = (data: unknown, length: number): unknown =>
  isLong(data, length) ? cutTexts(data, length, () => {}) : data;

/** Addresses of links are made by this server, and a cut one would lead nowhere. */
const isLinks = (name: string): boolean => name === "links";

/** Half an instant would be a wrong one. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z$/;
const isCuttable = (text: string, length: number): boolean =>
  text.length > length && !(text.length < 30 && instant.test(text));

function isLong(value: unknown, length: number): boolean {
  if (typeof value === "string") return isCuttable(value, length);
  if (Array.isArray(value)) return value.some((element) => isLong(element, length));
  if (!isObject(value)) return false;
  for (const name in value) if (!isLinks(name) && isLong(value[name], length)) return true;
  return false;
}

/** What has an id is a record of its own, and carries the names of its fields itself. */
function cutTexts(value: unknown, length: number, noteOutside: () => void): unknown {
  if (typeof value === "string") {
    const cut = isCuttable(value, length) ? firstCharacters(value, length) : value;
    if (cut !== value) noteOutside();
    return cut;
  }
  if (!isLong(value, length)) return value;
  if (Array.isArray(value)) return value.map((element) => cutTexts(element, length, noteOutside));
  if (!isObject(value)) return value;
  const isRecord = "id" in value;
  const names = new Set<string>();
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const note = isRecord ? () => names.add(name) : noteOutside;
    copy[name] = isLinks(name) ? field : cutTexts(field, length, note);
  }
  if (names.size > 0) copy.shortened = [...names].sort();
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The first characters (code points) of a text: no character outside of the basic plane is cut in two. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let characters = 0; characters < count && end < text.length; characters += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
