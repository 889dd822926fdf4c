import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { COST_PARTS } from '../../../base/spending/costParts.ts';

export const DEFAULT_COST_ROWS = 100;
export const MAX_COST_ROWS = 1_000;

const Only = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

export const CostsQuery = Type.Object(
  {
    by: Type.Optional(
      Type.String({
        pattern: `^(${COST_PARTS.join('|')})(,(${COST_PARTS.join('|')}))?$`,
        description: `What the rows are: one or two of ${COST_PARTS.join(', ')}, joined by a comma. campaign: jobs with all of their sub-runs. person: the member of the team who asked for the job; null where no name is known. day: in UTC. Default: job.`,
      }),
    ),
    since: Only('Only calls from this time on: ISO 8601, or a day in UTC such as 2026-11-22.'),
    until: Only('Only calls before this time.'),
    job: Only('Only calls of this job; `chat:` and an id: of a plan-mode chat.'),
    campaign: Only('Only calls of this job and of all sub-runs below it, where it is the topmost.'),
    repository: Only('Only calls for this repository.'),
    workflow: Only('Only calls in this workflow, by its path.'),
    phase: Only('Only calls in phases with this name.'),
    provider: Only('Only calls of this provider, such as acp:gemini.'),
    model: Only('Only calls of this model.'),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_COST_ROWS,
        description: `Most rows; default ${DEFAULT_COST_ROWS}.`,
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Rows to leave out; default 0.' }),
    ),
  },
  closed,
);
export type CostsQuery = Type.Static<typeof CostsQuery>;

/** Describes `unreported` wherever tokens are summed. */
export const UNREPORTED =
  'Sessions that ended without a report of tokens. Above 0, the tokens are a minimum; where the tokens are 0, they are unknown.';

/** What a job has cost, for lists. */
export const JobCost = Type.Object({
  usd: nullable(Type.Number(), 'Dollars as far as they are known; null = of none of it.'),
  unpriced: Type.Integer({
    description: 'Calls, and sessions without a report, whose cost is not known and not in `usd`.',
  }),
  tokens: Type.Integer({ description: 'Tokens in and out.' }),
  unreported: Type.Integer({ description: UNREPORTED }),
});
export type JobCost = Type.Static<typeof JobCost>;

const Sum = {
  usd: nullable(
    Type.Number(),
    'Dollars as far as they are known; null = of none of it. Subscriptions and endpoints that cost nothing count 0.',
  ),
  unpriced: Type.Integer({
    description: 'Calls, and sessions without a report, whose cost is not known and not in `usd`.',
  }),
  calls: Type.Integer({
    description: 'Calls of models, or reports where an agent does not report single calls.',
  }),
  estimated: Type.Integer({ description: 'The part of them whose tokens are estimated.' }),
  sessions: Type.Integer({ description: 'Sessions that began in it.' }),
  ms: Type.Integer({ description: 'Time of sessions, ms.' }),
  inputTokens: Type.Integer({
    description: 'All input, what was read from and written to a cache included.',
  }),
  outputTokens: Type.Integer({ description: 'All output, thoughts included.' }),
  cachedInputTokens: Type.Integer({
    description: 'The part of the input that was read from a cache.',
  }),
  cacheWriteTokens: Type.Integer({
    description: 'The part of the input that was written to a cache.',
  }),
  reasoningTokens: Type.Integer({
    description: 'The part of the output that the model thought, where that is reported.',
  }),
  unreported: Type.Integer({ description: UNREPORTED }),
};

export const CostSum = Type.Object(Sum);
export type CostSum = Type.Static<typeof CostSum>;

export const CostRow = Type.Object({
  keys: Type.Array(nullable(Type.String()), {
    description: 'What the row is, in the order of `by`; null = not known, or none.',
  }),
  label: nullable(
    Type.String(),
    'Of a job, campaign or chat: the beginning of its request; null = none.',
  ),
  ...Sum,
});
export type CostRow = Type.Static<typeof CostRow>;

/** Reply of GET /costs. */
export const Costs = Type.Object({
  by: Type.Array(Type.Enum(COST_PARTS), { description: 'What the rows are.' }),
  since: nullable(IsoTime, 'The first instant; null = from the beginning.'),
  until: nullable(IsoTime, 'The first instant after; null = until now.'),
  rows: Type.Array(CostRow, {
    description: 'Days in their order, else the most dollars first, then the most tokens.',
  }),
  total: Type.Integer({ description: 'How many rows there are in all.' }),
  limit: Type.Integer({ description: 'Most rows of this page.' }),
  offset: Type.Integer({ description: 'Rows left out before it.' }),
  sum: describe(CostSum, 'All rows together.'),
  prices: Type.String({ description: 'Date of the prices of this release, such as 2026-09-23.' }),
});
export type Costs = Type.Static<typeof Costs>;
