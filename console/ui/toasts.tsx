import { notifications } from "@mantine/notifications";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import i18next from "i18next";
import type { ReactNode } from "react";

const icons = {
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconAlertCircle,
  info: IconInfoCircle,
} as const;
const colors = { success: "green", warning: "orange", error: "red", info: "petrol" } as const;
type Kind = keyof typeof icons;

interface Options {
  title?: string;
  autoClose?: number;
  id?: string;
  /** Stays when it is clicked, because it contains something to click. */
  sticky?: boolean;
  /** Replaces the default icon; null: none. */
  icon?: ReactNode;
  onClose?(): void;
}

let nextId = 1;

function show(
  kind: Kind,
  message: ReactNode,
  { sticky = false, id = `toast-${nextId++}`, ...others }: Options = {},
): void {
  const Icon = icons[kind];
  notifications.show({
    id,
    message,
    color: colors[kind],
    icon: <Icon size={18} aria-hidden />,
    withBorder: true,
    closeButtonProps: { "aria-label": i18next.t("action.close") },
    role: kind === "error" ? "alert" : "status",
    "data-testid": `toast-${kind}`,
    ...(sticky ? {} : { onClick: () => notifications.hide(id) }),
    ...others,
  });
}

/** Short messages at the bottom left; they disappear by themselves. */
export const toast = {
  success: (message: ReactNode, options?: Options) => show("success", message, options),
  warning: (message: ReactNode, options?: Options) => show("warning", message, options),
  error: (message: ReactNode, options?: Options) => show("error", message, options),
  info: (message: ReactNode, options?: Options) => show("info", message, options),
};
