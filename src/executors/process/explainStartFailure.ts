import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findErrorCode } from '../../base/errors/findErrorCode.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';

interface Start {
  program: string;
  cwd: string;
  /** Where the program is set, as a sentence. */
  hint: string;
}

export function explainStartFailure(error: unknown, { program, cwd, hint }: Start): string {
  const failure = `${program} could not be started:`;
  const code = findErrorCode(error);
  if (code === 'ENOENT' && !existsSync(cwd))
    return `${failure} its working directory ${cwd} does not exist.`;
  // The same error is given for a script whose first line names a missing program.
  if (code === 'ENOENT' && program.includes('/') && existsSync(resolve(cwd, program)))
    return `${failure} it exists, but the program that its first line (#!) names does not. Install that, or fix the line.`;
  if (code === 'ENOENT' && program.includes('/')) return `${failure} it does not exist. ${hint}`;
  if (code === 'ENOENT') return `${failure} it was not found on the agents' PATH. ${hint}`;
  if (code === 'ENOTDIR') return `${failure} a part of its path is not a folder. ${hint}`;
  if (code === 'ENOEXEC') return `${failure} it is no program for this machine. ${hint}`;
  if (code === 'EACCES') return `${failure} it is not executable. ${hint}`;
  return `${failure} ${toErrorMessage(error)}. ${hint}`;
}
