import { useMediaQuery } from "@mantine/hooks";

/** Whether the window matches a media query, from the first render on: with an initial value, a screen would render twice. */
export const useMedia = (query: string): boolean => useMediaQuery(query, undefined, { getInitialValueInEffect: false });
