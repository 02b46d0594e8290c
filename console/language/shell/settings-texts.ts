/** English texts of the settings, loaded with their tabs. */
export const settingsTexts = {
  settings: {
    title: "Settings",
    general: "General",
    tables: "Table settings",
    tokens: "Access tokens",
    mail: "Mail",
    security: "Security",
    sessions: "Sessions",
    password: "Password",
    language: "Language",
    theme: "Theme",
    dark: "dark",
    light: "light",
    pageSize: "Rows per page",
  },
};

export type SettingsTexts = typeof settingsTexts;
