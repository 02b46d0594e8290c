/** Whether uploads are sent to this path below a repository's address. */
export const isUploadPath = (path: string): boolean => /(^|\/)legacy\/?$/.test(path);

/**
 * The methods of a path below a repository's address, as `Allow` lists them. The same whether or not there is something,
 * so that it reveals nothing about repositories that require authentication.
 */
export const methodsAt = (path: string): string =>
  isUploadPath(path) ? "GET, HEAD, OPTIONS, POST" : "GET, HEAD, OPTIONS";
