import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';

/** The text itself, or all of standard input for `-`. Throws SvcError `bad-argument` if empty. */
export async function readTextArgument(given: string, what: string, io: Io): Promise<string> {
  const text = given === '-' ? await io.readInput() : given;
  if (text.trim() === '')
    throw new SvcError(
      'bad-argument',
      `${what} is empty. Give the text, or - and the text on standard input.`,
    );
  return given === '-' ? text.replace(/\n$/, '') : text;
}
