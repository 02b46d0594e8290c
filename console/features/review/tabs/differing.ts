/** Which of these texts are not in the longest sequence that both lists have in common. */
export function differing(own: readonly string[], other: readonly string[]): boolean[] {
  const lengths = Array.from({ length: own.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = own.length - 1; row >= 0; row--)
    for (let column = other.length - 1; column >= 0; column--) {
      const line = lengths[row];
      if (line)
        line[column] =
          own[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const marks = own.map(() => true);
  for (let row = 0, column = 0; row < own.length && column < other.length; )
    if (own[row] === other[column]) {
      marks[row] = false;
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  return marks;
}
