import { api } from "../api/client.ts";
import { saveBlob } from "../api/save-blob.ts";
import { withProgress } from "../ui/progress.ts";

/** Downloads a file and hands it to the browser under its name. */
export async function saveFile(path: string, fileName: string): Promise<void> {
  saveBlob(await withProgress(api.download(path)), fileName);
}
