/** Whether uploads are sent to this address below `/repo/`. */
export const isUploadAddress = (path: string): boolean => /\/legacy\/?$/.test(path);

/**
 * The methods of an address below `/repo/`, as `Allow` lists them. The same whether or not there is something, so that
 * it reveals nothing about repositories that require authentication.
 */
export const methodsAt = (path: string): string =>
  isUploadAddress(path) ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS";
