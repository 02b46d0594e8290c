/**
 * In place of the formula and colour libraries that the compiler of reStructuredText imports and that descriptions do
 * not need; they would make the console some megabytes larger.
 */
export const bundledLanguagesInfo: readonly { id: string }[] = [];
// biome-ignore lint/style/noDefaultExport: the compiler imports it so
export default { renderToString: (formula: string): string => formula };
