import type { ReactNode } from "react";
import buttonStyles from "../../../ui/styles/button.module.css";

/** A button that looks like a link, in text. */
export const TextButton = ({ children, onPress }: { children: ReactNode; onPress(): void }) => (
  <button type="button" className={buttonStyles.linkButton} onClick={onPress}>
    {children}
  </button>
);
