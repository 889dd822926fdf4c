import { findErrorCode } from './findErrorCode.ts';

/** Whether an error of Node says that the file, folder or program does not exist. */
export const isMissingFile = (error: unknown): boolean => findErrorCode(error) === 'ENOENT';
