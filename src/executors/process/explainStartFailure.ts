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
  const failed = `${program} could not be started:`;
  const code = findErrorCode(error);
  if (code === 'ENOENT' && !existsSync(cwd))
    return `${failed} its working directory ${cwd} does not exist.`;
  // The same error is given for a script whose first line names a missing program.
  if (code === 'ENOENT' && program.includes('/') && existsSync(resolve(cwd, program)))
    return `${failed} it exists, but the program that its first line (#!) names does not. Install that, or fix the line.`;
  if (code === 'ENOENT' && program.includes('/')) return `${failed} it does not exist. ${hint}`;
  if (code === 'ENOENT') return `${failed} it was not found on the agents' PATH. ${hint}`;
  if (code === 'ENOTDIR') return `${failed} a part of its path is not a folder. ${hint}`;
  if (code === 'ENOEXEC') return `${failed} it is no program for this machine. ${hint}`;
  if (code === 'EACCES') return `${failed} it is not executable. ${hint}`;
  return `${failed} ${toErrorMessage(error)}. ${hint}`;
}
