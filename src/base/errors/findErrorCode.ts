/** The `code` of an error of Node, such as `ENOENT`; undefined = none. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
