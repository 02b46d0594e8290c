/** Concurrent calls of a bulk action; more would only queue at the server. */
const groupSize = 6;

/** Runs calls a few at a time and reports the result of each, in the order of the items. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as Item; // the index is below the length
      const [result] = await Promise.allSettled([call(item)]);
      if (result) results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.min(groupSize, items.length) }, worker));
  return results;
}
