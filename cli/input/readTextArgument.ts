import { SvcError } from '../../src/base/errors/errors.ts';
import type { Io } from '../io.ts';

/** The text itself, or all of standard input for `-`. Throws SvcError `bad-argument` if empty. */
export async function readTextArgument(argument: string, what: string, io: Io): Promise<string> {
  const text = argument === '-' ? await io.readInput() : argument;
  if (text.trim() === '')
    throw new SvcError(
      'bad-argument',
      `${what} is empty. Give the text, or - and the text on standard input.`,
    );
  return argument === '-' ? text.replace(/\n$/, '') : text;
}
