import { z } from "zod";

/** Characters (Unicode code points) of a text in an item of a list; the item's own address has the whole text. */
export const longestListText = 10_000;

/** Bytes of an answer with a list. Texts are shortened further until the answer fits. */
export const largestListBytes = 8_000_000;

/** Names of the fields of a list item whose text is cut. */
export const shortened = z.array(z.string()).optional();
