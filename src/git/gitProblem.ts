import { SvcError } from '../lib/errors.ts';

const LOCKED = /Unable to create '([^']+\.lock)': File exists/;
const FOREIGN = /dubious ownership in repository at '([^']+)'/;
const FULL = /No space left on device|Disk quota exceeded|Read-only file system/;
const DENIED = /(?:could not|cannot|unable to|failed to)[^\n]*Permission denied/i;

const repairable = (message: string): SvcError =>
  new SvcError('conflict', message, { data: { repairable: true } });

/**
 * What git says of a repository or disk that a person can repair, as an error that names it and says
 * how (`data.repairable` is true); null = it says something else. `what`: the command, such as
 * `git clone`.
 */
export function gitProblem(what: string, stderr: string): SvcError | null {
  const lock = LOCKED.exec(stderr)?.[1];
  if (lock !== undefined)
    return repairable(
      `The repository is locked by another git process: ${lock} exists. Wait until that git has ended. If none is running, remove the file: rm '${lock}'`,
    );
  const foreign = FOREIGN.exec(stderr)?.[1];
  if (foreign !== undefined)
    return repairable(
      `The repository ${foreign} belongs to another user than the runner, so git does not read it. Run the runner as its owner, or give it to the runner's user: chown -R "$(id -u)" '${foreign}'`,
    );
  if (FULL.test(stderr))
    return repairable(`${what} could not write: ${lastLine(stderr)}. Make room on that disk.`);
  if (DENIED.test(stderr))
    return repairable(
      `${what} may not read or write a file: ${lastLine(stderr)}. Let the user of the runner do so (chmod, chown).`,
    );
  return null;
}

const lastLine = (text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => FULL.test(line) || DENIED.test(line)) ?? text.trim();
