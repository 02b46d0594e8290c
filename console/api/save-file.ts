import { withProgress } from "../ui/progress.ts";
import { api } from "./client.ts";

/** Downloads a file and hands it to the browser under its name. */
export async function saveFile(path: string, fileName: string): Promise<void> {
  saveBlob(await withProgress(api.download(path)), fileName);
}

/** Hands bytes to the browser, to be saved under a name. */
export function saveBlob(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = fileName;
  anchor.click();
  // The browser has taken it over by the next task; until then the address must live.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
