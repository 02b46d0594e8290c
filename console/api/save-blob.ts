/** Passes bytes to the browser, to be saved under a name. */
export function saveBlob(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = fileName;
  anchor.click();
  // The browser has taken over by the next task; the address must stay valid until then.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
