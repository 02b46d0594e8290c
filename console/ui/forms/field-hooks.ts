/** By which tests and scripts find a form's field and the message at it, in every language. */
export const fieldHooks = (name: string) => ({
  "data-testid": `field-${name}`,
  errorProps: { "data-testid": `field-${name}-message` },
});
