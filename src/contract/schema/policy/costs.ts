import Type from 'typebox';
import { COST_PARTS } from '../../../shared/spending/costParts.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { nullable } from '../kit/nullable.ts';

export const DEFAULT_COST_ROWS = 100;
export const MAX_COST_ROWS = 1_000;

const Only = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

export const CostsQuery = Type.Object(
  {
    by: Type.Optional(
      Type.String({
        pattern: `^(${COST_PARTS.join('|')})(,(${COST_PARTS.join('|')}))?$`,
        description: `What the rows are: one or two of ${COST_PARTS.join(', ')}, joined by a comma. campaign: jobs with all of their sub-runs. day: in UTC. Default: job.`,
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
  { additionalProperties: false },
);
export type CostsQuery = Type.Static<typeof CostsQuery>;

/** Describes `unreported` wherever tokens are summed. */
export const UNREPORTED =
  'Sessions that ended without a report of tokens. Above 0, the tokens are at least so many; where the tokens are 0, they are unknown.';

/** What a job has cost, for lists. */
export const JobCost = describeMembers(
  Type.Object({
    usd: nullable(Type.Number()),
    unpriced: Type.Integer(),
    tokens: Type.Integer(),
    unreported: Type.Integer(),
  }),
  {
    usd: 'Dollars as far as they are known; null = of none of it.',
    unpriced: 'Calls, and sessions without a report, whose cost is not known and not in `usd`.',
    tokens: 'Tokens in and out.',
    unreported: UNREPORTED,
  },
);
export type JobCost = Type.Static<typeof JobCost>;

const Sum = {
  usd: nullable(Type.Number()),
  unpriced: Type.Integer(),
  calls: Type.Integer(),
  estimated: Type.Integer(),
  sessions: Type.Integer(),
  ms: Type.Integer(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  cachedInputTokens: Type.Integer(),
  cacheWriteTokens: Type.Integer(),
  reasoningTokens: Type.Integer(),
  unreported: Type.Integer(),
};
const sumTexts = {
  usd: 'Dollars as far as they are known; null = of none of it. Subscriptions and endpoints that cost nothing count 0.',
  unpriced: 'Calls, and sessions without a report, whose cost is not known and not in `usd`.',
  calls: 'Calls of models, or reports where an agent does not report single calls.',
  estimated: 'The part of them whose tokens are estimated.',
  sessions: 'Sessions that began in it.',
  ms: 'Time of sessions, ms.',
  inputTokens: 'All input, what was read from and written to a cache included.',
  outputTokens: 'All output, thoughts included.',
  cachedInputTokens: 'The part of the input that was read from a cache.',
  cacheWriteTokens: 'The part of the input that was written to a cache.',
  reasoningTokens: 'The part of the output that the model thought, where that is reported.',
  unreported: UNREPORTED,
};

export const CostSum = describeMembers(Type.Object(Sum), sumTexts);
export type CostSum = Type.Static<typeof CostSum>;

export const CostRow = describeMembers(
  Type.Object({
    keys: Type.Array(nullable(Type.String())),
    label: nullable(Type.String()),
    ...Sum,
  }),
  {
    keys: 'What the row is, in the order of `by`; null = not known, or none.',
    label: 'Of a job, campaign or chat: the beginning of its request; null = none.',
    ...sumTexts,
  },
);
export type CostRow = Type.Static<typeof CostRow>;

/** Reply of GET /costs. */
export const Costs = describeMembers(
  Type.Object({
    by: Type.Array(Type.Enum(COST_PARTS)),
    since: nullable(IsoTime),
    until: nullable(IsoTime),
    rows: Type.Array(CostRow),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    sum: CostSum,
    prices: Type.String(),
  }),
  {
    by: 'What the rows are.',
    since: 'The first instant; null = from the beginning.',
    until: 'The first instant after; null = until now.',
    rows: 'Days in their order, else the most dollars first, then the most tokens.',
    total: 'How many rows there are in all.',
    limit: 'Most rows of this page.',
    offset: 'Rows left out before it.',
    sum: 'All rows together.',
    prices: 'Date of the prices of this release, such as 2026-09-23.',
  },
);
export type Costs = Type.Static<typeof Costs>;
