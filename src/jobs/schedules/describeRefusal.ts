import type { SvcError } from '../../base/errors/errors.ts';
import { shorten } from '../../base/text/clip.ts';

/** Most characters of a stored reason. */
const MAX_PROBLEM_CHARS = 2_000;

/** Why a job could not be created, with every mistake. */
export const describeRefusal = ({ message, errors }: SvcError): string =>
  shorten(
    [
      message,
      ...errors.map((one) => `${one.pointer.slice(1).replaceAll('/', '.')} ${one.message}`),
    ].join(' '),
    MAX_PROBLEM_CHARS,
  );
