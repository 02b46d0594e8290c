/** A login without compatibility forms and surrounding spaces, which do not make it another one. */
export const cleanLogin = (text: string): string => text.normalize("NFKC").trim();
