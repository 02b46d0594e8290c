/** Ids by which tests and scripts find a form's field and its message, in every language. */
export const fieldHooks = (name: string) => ({
  "data-testid": `field-${name}`,
  errorProps: { "data-testid": `field-${name}-message` },
});

/** A field that must be filled: shown by an asterisk and read by screen readers; the form itself checks it. */
export const required = { withAsterisk: true, "aria-required": true } as const;
