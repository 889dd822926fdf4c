import { ProgramNotStarted } from './programNotStarted.ts';
import type { SessionFault } from './sessionFaults.ts';

/** Codes of a file system that is full or cannot be written for another reason. */
const NOT_WRITTEN: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

/** Classifies an error that was thrown within a session. */
export function toThrownFault(error: unknown): SessionFault {
  if (error instanceof ProgramNotStarted) return 'not-started';
  return NOT_WRITTEN.has(Object(error).code) ? 'not-written' : 'unknown';
}

/** By convention of shells: a command was found and cannot be executed, or was not found. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** Classifies an exit code other than 0. */
export const toExitFault = (code: number): SessionFault =>
  code === NOT_EXECUTABLE || code === NOT_FOUND ? 'not-started' : 'own-exit';
