const longestName = 50;

/** Truncates long file names in the middle. */
export const shortened = (name: string): string =>
  name.length < longestName ? name : `${name.slice(0, 25)}...${name.slice(-13)}`;
