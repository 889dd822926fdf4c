/** The `code` of an error of Node, such as `ENOENT`; undefined = none. */

/** Whether an error of Node says that the file, folder or program does not exist. */
export const isMissingFile = (error: unknown): boolean => findErrorCode(error) === 'ENOENT';

/** The `code` of an error of Node, such as `ENOENT`; undefined = none. */
export const findErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
