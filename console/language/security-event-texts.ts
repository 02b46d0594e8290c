/** English texts of security events, loaded with the events screen. */
export const securityEventTexts = {
  securityEvent: {
    signIn: {
      password: "{{name}} signed in with a password",
      provider: "{{name}} signed in through the identity provider",
      secondFactor: "{{name}} signed in with a password and a second factor",
    },
    signInFailed: {
      password: "A sign-in as {{name}} failed",
      provider: "A sign-in as {{name}} through the identity provider was refused",
      secondFactor: "A sign-in as {{name}} with the correct password failed at the second factor",
    },
    signOut: { self: "{{name}} signed out" },
    sessionEnd: {
      self: "{{name}} ended a session",
      administrator: "{{by}} ended a session of {{name}}",
      operator: "The operator ended all sessions",
      expired: "A session of {{name}} expired",
    },
    passwordChange: {
      self: "{{name}} changed their password",
      administrator: "{{by}} set a new password for {{name}}",
      operator: "The operator set a new password for {{name}}",
      link: "{{by}} created a link that lets {{name}} set a password",
    },
    secondFactorChange: {
      added: "{{name}} added a second factor",
      removed: "{{by}} removed a second factor of {{name}}",
      recoveryCodes: "{{name}} created new recovery codes",
      reset: "{{by}} removed all second factors of {{name}}",
    },
    accountCreate: {
      settings: "The account of {{name}} was created from the settings",
      operator: "The operator created the account of {{name}}",
      provider: "The account of {{name}} was created at the first sign-in through the identity provider",
      firstStart: "The account of {{name}} was created because there was no administrator",
    },
    accountChange: {
      operator: "The operator changed the account of {{name}}",
      provider: "The account of {{name}} now belongs to the identity provider",
      firstStart: "{{name}} was made an administrator because there was none",
    },
    settingsChange: {
      self: "{{name}} changed their own settings",
      administrator: "{{by}} changed the settings of {{name}}",
    },
    tokenUse: { newAddress: "The access token {{name}} was used from a new address" },
    configurationChange: { start: "The server started with changed settings" },
    download: { file: "{{by}} downloaded {{name}} from a repository with read rights" },
  },
};

export type SecurityEventTexts = typeof securityEventTexts;
