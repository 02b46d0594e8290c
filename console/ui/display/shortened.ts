const longestName = 50;

/** Names of files that are too long keep their beginning and their end. */
export const shortened = (name: string): string =>
  name.length < longestName ? name : `${name.slice(0, 25)}...${name.slice(-13)}`;
