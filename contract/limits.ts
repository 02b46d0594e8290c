import { z } from "zod";

/**
 * How long texts of requests may be. What is longer than `longestGiven` is refused unread; rules about stored fields
 * have limits of their own below that, each with its violation.
 */
export const longestGiven = 10_000;
/** Names of repositories, packages, tokens and users, versions, file names, logins. */
export const longestName = 255;
/** Addresses of repositories and servers. */
export const longestAddress = 1000;
/** The notes of an upload. */
export const longestNotes = 20_000;
export const longestPassword = 1000;
/** One value of a query; several names may stand in it, with commas. */
export const longestParameter = 8000;
export const mostParameters = 1000;
/** A part of a path that is no id. */
export const longestPathPart = 500;
/** A pointer of a JSON patch. */
export const longestPointer = 1000;

/** Characters (Unicode code points) of a text in an item of a list; the item's own address has the whole text. */
export const longestListText = 10_000;

/** Bytes of an answer with a list. Texts are shortened further until the answer fits. */
export const largestListBytes = 8_000_000;

/** Names of the fields of a list item whose text is cut. */
export const shortened = z.array(z.string()).optional();
