/** In shorter names one character is most of the name: `sf` is not taken for `sp`. */
const shortest = 5;

/** Whether one character added, removed, replaced or exchanged with its neighbor makes one name the other. */
export function isOneEditFrom(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || short.length < shortest || long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  if (short.length < long.length) return short.slice(start) === long.slice(start + 1);
  const rest = short.slice(start + 1) === long.slice(start + 1);
  const exchanged =
    short[start] === long[start + 1] &&
    short[start + 1] === long[start] &&
    short.slice(start + 2) === long.slice(start + 2);
  return rest || exchanged;
}
