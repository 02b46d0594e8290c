/** Whether the system refused a call for this reason, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
