import { withProgress } from "../ui/progress.ts";
import { api } from "./client.ts";
import { saveBlob } from "./save-blob.ts";

/** Downloads a file and hands it to the browser under its name. */
export async function saveFile(path: string, fileName: string): Promise<void> {
  saveBlob(await withProgress(api.download(path)), fileName);
}
