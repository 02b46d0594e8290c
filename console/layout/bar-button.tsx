import type { Icon } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import styles from "./bar-button.module.css";

interface BarButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: Icon;
  label: string;
}

/** A button of the top bar. It uses the browser's tooltip, which keeps the sign-in page small. */
export function BarButton({ icon: Icon, label, className = "", ...others }: BarButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${className}`} aria-label={label} title={label} {...others}>
      <Icon size={20} stroke={1.75} aria-hidden />
    </button>
  );
}
