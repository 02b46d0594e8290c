/** English texts of resetting a sign-in, loaded with the users screen. */
export const resetSignInTexts = {
  resetSignIn: {
    action: "Reset sign-in",
    title: "Sign-in of {{name}}",
    self: "Change your own password in the settings",
    endSessions: "End sessions",
    endSessionsHint: "The user must sign in again. The password and access tokens stay the same.",
    sessionsEnded: "The sessions of {{name}} have ended",
    resetFactors: "Reset second factors",
    resetFactorsHint: "For a user who has lost them. Ends all sessions; the password is then enough to sign in.",
    factorsReset: "{{name}} no longer has any second factors",
    link: "One-time link",
    linkHint: "Creates a link that lets the user set a new password. Nothing changes until then.",
    linkMade: "Give this link to {{name}}. It works once, until {{date}}, and is not shown again.",
    temporary: "Temporary password",
    temporaryHint: "Replaces the password immediately. The user must change it at the next sign-in.",
    temporaryMade: "Give this password to {{name}}. It is not shown again and must be changed at the next sign-in.",
    endTokens: "Also deactivate the user's access tokens",
  },
};

export type ResetSignInTexts = typeof resetSignInTexts;
