import { saveBlob } from "../api/save-blob.ts";
import { withProgress } from "../ui/progress.ts";

/** Hands a file that is being downloaded to the browser under its name. */
export async function saveFile(bytes: Promise<Blob>, fileName: string): Promise<void> {
  saveBlob(await withProgress(bytes), fileName);
}
