import { z } from "zod";

/**
 * Maximum lengths of texts in requests. Anything longer than `longestGiven` is refused unread; rules for stored fields
 * have lower limits of their own, each with its violation.
 */
export const longestGiven = 10_000;
/** Names of repositories, packages, tokens and users, versions, file names, logins. */
export const longestName = 255;
/** Addresses of repositories and servers. */
export const longestAddress = 1000;
/** The notes of an upload. */
export const longestNotes = 20_000;
export const longestPassword = 1000;
/** One value of a query; it may contain several names, separated by commas. */
export const longestParameter = 8000;
export const mostParameters = 1000;
/** A path segment that is not an id. */
export const longestPathPart = 500;
/** A pointer of a JSON patch. */
export const longestPointer = 1000;

/** Characters (Unicode code points) of a text in a list item; the item's own address has the full text. */
export const longestListText = 10_000;

/** Bytes of a response with a list. Texts are shortened further until the response fits. */
export const largestListBytes = 8_000_000;

/** Names of the list item's fields whose text was truncated. */
export const shortened = z.array(z.string()).optional();
