/** Far longer than anybody types, and short enough to be hashed without being noticed. */
export const longestPassword = 1024;
