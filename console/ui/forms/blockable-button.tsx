import { Button, type ButtonProps } from "@mantine/core";
import { type ComponentProps, useId } from "react";
import { explainedBy } from "../hint.tsx";

interface BlockableButtonProps extends ButtonProps, Omit<ComponentProps<"button">, keyof ButtonProps | "disabled"> {
  /** Why it cannot be pressed now; then it stays focusable and shows the reason. */
  blocked: string | undefined;
}

/** A button that says why it is disabled. One that submits a form still does: the form shows what is missing. */
export function BlockableButton({ blocked, type = "button", onClick, children, ...others }: BlockableButtonProps) {
  const reasonId = useId();
  const isBlocked = blocked !== undefined;
  // Submitting shows what is missing; anything else waits until it is possible.
  const press = isBlocked ? undefined : onClick;
  return (
    <>
      <Button
        type={type}
        onClick={press}
        {...(isBlocked ? { "aria-disabled": true, "data-disabled": true, "aria-describedby": reasonId } : {})}
        {...explainedBy(blocked)}
        {...others}
      >
        {children}
      </Button>
      {isBlocked && (
        <span id={reasonId} hidden>
          {blocked}
        </span>
      )}
    </>
  );
}
