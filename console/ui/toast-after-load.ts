import { toast } from "./toasts.tsx";

const key = "packhouse.toast";

/** Shows a success on the page that loads next. */
export const toastAfterLoad = (message: string): void => sessionStorage.setItem(key, message);

export function showToastAfterLoad(): void {
  const message = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (message) toast.success(message);
}
