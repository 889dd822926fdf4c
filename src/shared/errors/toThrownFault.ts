import type { SessionFault } from './sessionFaults.ts';

/** What a file system answers that has no room, or cannot be written for another reason. */
const NOT_WRITTEN: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

/** Where an error comes from that something within a session has thrown. */
export const toThrownFault = (error: unknown): SessionFault =>
  NOT_WRITTEN.has(Object(error).code) ? 'not-written' : 'unknown';

/** By convention of shells: a command was found and cannot be executed, or was not found. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** Where an exit code other than 0 comes from. */
export const toExitFault = (code: number): SessionFault =>
  code === NOT_EXECUTABLE || code === NOT_FOUND ? 'not-started' : 'own-exit';
