/** A login without compatibility forms and surrounding spaces, which do not distinguish logins. */
export const cleanLogin = (text: string): string => text.normalize("NFKC").trim();
