/** Parameter of the address for signing out with which the console asks first. */
export const askBeforeSignOut = "ask";
