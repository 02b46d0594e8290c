import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** Mantine's field does not state its error to screen readers, and forms look for the first field that does. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...props} aria-invalid={props.error ? true : undefined} />;
}
