/**
 * Replaces the formula and highlighting libraries that the reStructuredText compiler imports but descriptions do
 * not need; they would make the console some megabytes larger.
 */
export const bundledLanguagesInfo: readonly { id: string }[] = [];
// biome-ignore lint/style/noDefaultExport: the compiler imports it like this
export default { renderToString: (formula: string): string => formula };
