import i18next from "i18next";

/** An item of a repository in a sentence: "A3 0.9.2 in testrepo3". */
export const inRepository = (item: string, repository: { name: string }): string =>
  i18next.t("list.inRepository", { item, repository: repository.name });
