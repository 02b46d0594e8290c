/** English texts of security events, loaded with the events screen. */
export const securityEventTexts = {
  securityEvent: {
    signIn: {
      password: "{{name}} signed in with a password",
      provider: "{{name}} signed in at the identity provider",
      secondFactor: "{{name}} signed in with a password and a second factor",
    },
    signInFailed: {
      password: "A sign-in as {{name}} failed",
      provider: "A sign-in at the identity provider as {{name}} was refused",
      secondFactor: "A sign-in as {{name}} with the right password failed at the second factor",
    },
    signOut: { self: "{{name}} signed out" },
    sessionEnd: {
      self: "{{name}} ended a session",
      administrator: "{{by}} ended a session of {{name}}",
      operator: "The operator ended all sessions",
      expired: "A session of {{name}} expired",
    },
    passwordChange: {
      self: "{{name}} changed the password",
      administrator: "{{by}} gave {{name}} another password",
      operator: "The operator gave {{name}} another password",
      link: "{{by}} made a link by which {{name}} can set a password",
    },
    secondFactorChange: {
      added: "{{name}} added a second factor",
      removed: "{{by}} removed a second factor of {{name}}",
      recoveryCodes: "{{name}} made new recovery codes",
      reset: "{{by}} removed all second factors of {{name}}",
    },
    accountCreate: {
      settings: "The account of {{name}} was created by the settings",
      operator: "The operator created the account of {{name}}",
      provider: "The account of {{name}} was created at the first sign-in at the identity provider",
      firstStart: "The account of {{name}} was created as there was no administrator",
    },
    accountChange: {
      operator: "The operator changed the account of {{name}}",
      provider: "The account of {{name}} belongs to the identity provider from now on",
      firstStart: "{{name}} was made administrator as there was none",
    },
    settingsChange: {
      self: "{{name}} changed their own settings",
      administrator: "{{by}} changed the settings of {{name}}",
    },
    tokenUse: { newAddress: "The access token {{name}} was used from a new address" },
    configurationChange: { start: "The server started with other settings" },
    download: { file: "{{by}} downloaded {{name}} from a repository that is not open to everybody" },
  },
};

export type SecurityEventTexts = typeof securityEventTexts;
