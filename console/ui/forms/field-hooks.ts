/** Ids by which tests and scripts find a form's field and its message, in every language. */
export const fieldHooks = (name: string) => ({
  "data-testid": `field-${name}`,
  errorProps: { "data-testid": `field-${name}-message` },
});
