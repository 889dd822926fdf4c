import { SvcError } from '../../src/base/errors/errors.ts';
import type { ReviewCommentBody } from '../../src/contract/schema/forge/review.ts';

const PLACE = /^(?<path>.+?)(?::(?:(?<first>\d+)-)?(?<line>\d+))?\s*$/;

/**
 * A comment as it is given on the command line: `<file>:<line> <text>`, `<file>:<first>-<last>
 * <text>` or `<file> <text>`. Throws SvcError `bad-argument`.
 */
export function parseReviewComment(argument: string): ReviewCommentBody {
  const at = argument.search(/\s/);
  const text = at < 0 ? '' : argument.slice(at + 1).trim();
  const { path, first, line } =
    PLACE.exec(argument.slice(0, at < 0 ? undefined : at))?.groups ?? {};
  if (path === undefined || text === '')
    throw new SvcError(
      'bad-argument',
      `--comment must be '<file>:<line> <text>', such as 'src/app.ts:12 Why?', not ${JSON.stringify(argument)}.`,
    );
  return {
    path,
    body: text,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(first === undefined ? {} : { startLine: Number(first) }),
  };
}
