/** English texts of actions on many records, loaded with the first selection. */
export const bulkTexts = {
  bulk: {
    packages_one: "{{verb}} {{formatted}} package",
    packages_other: "{{verb}} {{formatted}} packages",
    submissions_one: "{{verb}} {{formatted}} submission",
    submissions_other: "{{verb}} {{formatted}} submissions",
    maintainers_one: "{{verb}} {{formatted}} maintainer",
    maintainers_other: "{{verb}} {{formatted}} maintainers",
    tokens_one: "{{verb}} {{formatted}} access token",
    tokens_other: "{{verb}} {{formatted}} access tokens",
    users_one: "{{verb}} {{formatted}} user",
    users_other: "{{verb}} {{formatted}} users",
    question: "{{verb}} these {{what}}?",
    leftOut: "Some selected items are left out",
    none: "None of the selected items can be changed this way",
    noneHelp: "Select other items and try again.",
    untouched: "Left unchanged",
    partial: "{{done}} succeeded, {{failed}} failed",
    progress: "Progress",
    progressOf: "{{done}} of {{total}}",
    more: "and {{formatted}} more",
    results: "Some items failed",
    retry: "Retry failed items",
    copy: "Copy results",
  },
  bulkNoun: {
    packages: "packages",
    maintainers: "maintainers",
    tokens: "access tokens",
    users: "users",
  },
};

export type BulkTexts = typeof bulkTexts;
