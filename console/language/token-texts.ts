/** English texts of the access tokens, loaded with their screen. */
export const tokenTexts = {
  token: {
    create: "Add an access token",
    created: "Access token {{name}}",
    edit: "Edit {{name}}",
    nameHint: "What the token is for, such as the machine that will use it",
    lifetime: "Lifetime (days)",
    lifetimeRange: "Enter a whole number of days from 1 to {{most}}",
    expiryDay: "Or an expiration date",
    lifetimeFixed: "The lifetime of tokens is set by the administrator",
    expiresOn: "expires on {{date}}",
    copyNow: "Copy the token now; it will not be shown again.",
    howTo: "Package clients sign in with the username {{login}} and the token as the password.",
    edited: "Token edited.",
    deactivated: "Token deactivated.",
    deleted: "Token deleted.",
    confirmDeactivate: "Deactivate the token {{name}}?",
    deactivateHint: "Clients that use it will be refused immediately. It cannot be activated again.",
    rotate: "Rotate",
    rotateQuestion: "Replace the token {{name}} with a new one?",
    rotateHint_one: "The new token is valid for {{count}} day; the old one stops working immediately.",
    rotateHint_other: "The new token is valid for {{count}} days; the old one stops working immediately.",
    days_one: "{{count}} day",
    days_other: "{{count}} days",
    presets: "Common lifetimes",
  },
};

export type TokenTexts = typeof tokenTexts;
