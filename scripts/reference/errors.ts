import { toProblemDocument } from '../../src/api/server/replies/problems.ts';
import { ERROR_CODES, SvcError } from '../../src/base/errors/errors.ts';
import { ERROR_TEXTS } from './errorTexts.ts';
import { code, codeBlock, page, plain, table } from './markdown.ts';

const EXAMPLE = toProblemDocument(
  new SvcError('not-found', 'Job shop-job-7 does not exist.'),
  '5f0c…',
);

const INTRODUCTION = `Every error of the HTTP API is a problem document (RFC 9457) with the media type
\`application/problem+json\`. \`code\` is stable: programs branch on it. \`detail\` says what is wrong
and how to fix it. \`errors\`, where present, lists single fields: \`pointer\` is a JSON pointer into
the body, or \`file:line:column\`. \`requestId\` is also in the log of the runner. The command line
prints the same texts and ends with the exit code in the table; with \`--json\` it prints the problem
document as \`{ "error": … }\`.`;

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([name, [status, title, exit]]) => {
    const { when, fix } = ERROR_TEXTS[name as keyof typeof ERROR_CODES];
    return [code(name), String(status), String(exit), plain(title), plain(when), plain(fix)];
  });
  return page('Errors', 'src/base/errors/errors.ts', [
    INTRODUCTION,
    codeBlock('json', JSON.stringify(EXAMPLE, null, 2)),
    '## Problem codes',
    table(['Code', 'HTTP status', 'Exit code', 'Title', 'When', 'What to do'], rows),
    'The exit codes are explained in [cli.md](cli.md#exit-codes).',
  ]);
}
