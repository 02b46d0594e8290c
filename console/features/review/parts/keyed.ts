/** Each with a key of its own: of those that read the same, the second and later ones are numbered. */
export function keyed<Item>(items: readonly Item[], textOf: (item: Item) => string): { key: string; item: Item }[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return { key: count === 1 ? text : `${text} ${count}`, item };
  });
}
