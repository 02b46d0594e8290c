import { tabStorage } from "../storage/browser-storage.ts";
import { toast } from "./toasts.tsx";

const key = "packhouse.toast";

/** Shows a success on the page that loads next. */
export function toastAfterLoad(message: string): void {
  tabStorage.write(key, message);
}

export function showToastAfterLoad(): void {
  const message = tabStorage.read(key);
  tabStorage.remove(key);
  if (message) toast.success(message);
}
