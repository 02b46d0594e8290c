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
