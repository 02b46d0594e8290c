/** English texts of resetting a sign-in, loaded with the users screen. */
export const resetSignInTexts = {
  resetSignIn: {
    action: "Reset sign-in",
    title: "Sign-in of {{name}}",
    self: "Change your own password in the settings",
    endSessions: "End sessions",
    endSessionsHint: "The user has to sign in again. The password and access tokens stay.",
    sessionsEnded: "The sessions of {{name}} have ended",
    resetFactors: "Reset second factors",
    resetFactorsHint: "For a user who has lost them. Sessions end; the password alone signs in.",
    factorsReset: "{{name}} has no second factors any more",
    link: "One-time link",
    linkHint: "Creates a link with which the user can set a new password. Nothing changes until then.",
    linkMade: "Give this link to {{name}}. It works once, until {{date}}, and is not shown again.",
    temporary: "Temporary password",
    temporaryHint: "Replaces the password immediately. It has to be changed at the next sign-in.",
    temporaryMade: "Give this password to {{name}}. It is not shown again and has to be changed at the next sign-in.",
    endTokens: "Deactivate the user's access tokens, too",
  },
};

export type ResetSignInTexts = typeof resetSignInTexts;
