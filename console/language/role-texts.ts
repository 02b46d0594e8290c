/** English texts of changes of roles, loaded with the dialog that shows them. */
export const roleTexts = {
  endingRecords: {
    packages_one: "{{name}} stops maintaining {{formatted}} package:",
    packages_other: "{{name}} stops maintaining {{formatted}} packages:",
    repositories_one: "{{name}} stops maintaining {{formatted}} repository:",
    repositories_other: "{{name}} stops maintaining {{formatted}} repositories:",
    none: "{{name}} maintains nothing now.",
    more: "and {{formatted}} more",
  },
};

export type RoleTexts = typeof roleTexts;
