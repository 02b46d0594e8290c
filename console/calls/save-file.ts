import { saveBlob } from "../api/save-blob.ts";
import { withProgress } from "../ui/progress.ts";

/** Passes a file to the browser while it is being downloaded, with its name. */
export async function saveFile(bytes: Promise<Blob>, fileName: string): Promise<void> {
  saveBlob(await withProgress(bytes), fileName);
}
