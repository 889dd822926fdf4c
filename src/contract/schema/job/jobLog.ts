import Type from 'typebox';
import { MAX_LOG_SEARCH_CHARS } from '../../../base/limits/inputLimits.ts';
import { describe, closed } from '../kit/schemaKit.ts';
import { LogFrame } from './frames.ts';

export const DEFAULT_LOG_LINES = 1000;
export const MAX_LOG_LINES_READ = 5000;
export const DEFAULT_LOG_MATCHES = 500;
export const MAX_LOG_MATCHES = 2000;

const buildLineNumberSchema = (description: string) => Type.Integer({ minimum: 1, description });

/** Query of GET /jobs/:jobId/log. Without `from` and `before`: the newest lines. */
export const LogQuery = Type.Object(
  {
    from: Type.Optional(buildLineNumberSchema('Number of the first line.')),
    before: Type.Optional(
      buildLineNumberSchema('Only lines before this one, the nearest of them.'),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LOG_LINES_READ,
        default: DEFAULT_LOG_LINES,
        description: 'Most lines of the answer; it may have fewer where lines are long.',
      }),
    ),
  },
  closed,
);
export type LogQuery = Type.Static<typeof LogQuery>;

/** Query of GET /jobs/:jobId/log/search. */
export const LogSearchQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_LOG_SEARCH_CHARS,
        description: 'Text that a line must have, without regard to case.',
      }),
    ),
    level: Type.Optional(
      Type.Literal('error', { description: 'Only lines that report an error, by their words.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LOG_MATCHES,
        default: DEFAULT_LOG_MATCHES,
        description: 'Most matches of the answer.',
      }),
    ),
  },
  closed,
);
export type LogSearchQuery = Type.Static<typeof LogSearchQuery>;

/** A line of a job's log. */
export const NumberedLine = Type.Object({
  ...LogFrame.properties,
  number: Type.Integer({ description: 'Its number in the log, from 1.' }),
  n: Type.Integer({ description: 'Number of its frame in the stream.' }),
  from: describe(
    LogFrame.properties.from,
    'Who wrote it. The runner vouches for this member; `line` is whatever was written.',
  ),
  line: describe(
    LogFrame.properties.line,
    'The text. Colours of a terminal (SGR sequences) are in it as they were written.',
  ),
});
export type NumberedLine = Type.Static<typeof NumberedLine>;

/** Reply of GET /jobs/:jobId/log. */
export const LogPage = Type.Object({
  lines: Type.Array(NumberedLine, { description: 'Neighbouring lines, oldest first.' }),
  total: Type.Integer({ description: 'How many lines the log has.' }),
  lastFrame: Type.Integer({
    description: 'Number of the newest frame: `after` of a stream that continues this page.',
  }),
});
export type LogPage = Type.Static<typeof LogPage>;

/** Reply of GET /jobs/:jobId/log/search. */
export const LogMatches = Type.Object({
  numbers: Type.Array(Type.Integer(), {
    description: 'Numbers of the lines that match, ascending.',
  }),
  more: Type.Boolean({ description: 'Whether further lines match than the limit lets through.' }),
});
export type LogMatches = Type.Static<typeof LogMatches>;
