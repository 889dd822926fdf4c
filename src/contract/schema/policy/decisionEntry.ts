import Type from 'typebox';
import { Caller } from '../runner/caller.ts';
import { DECISION_SITES } from './decision.ts';
import { DecisionRecord } from './decisionRecord.ts';
import { describe, IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { Limit, Offset } from '../kit/page.ts';

export const DEFAULT_DECISIONS = 50;
export const MAX_DECISIONS = 500;
/** Longest note of a person about a rating. */
export const MAX_NOTE_CHARS = 2_000;

/** Names a record of the decision layer. */
const EntryKey = {
  job: Type.String({ minLength: 1, maxLength: 128, description: 'The job.' }),
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Which of its ratings, such as `overseer/3/1`.',
  }),
};

const Verdict = Type.Enum(['good', 'bad']);

/** Query of GET /decisions. */
export const DecisionsQuery = Type.Object(
  {
    job: Type.Optional({ ...EntryKey.job, description: 'Only ratings of this job.' }),
    key: Type.Optional({ ...EntryKey.key, description: 'Only the one with this key.' }),
    site: Type.Optional(
      Type.Enum([...DECISION_SITES], { description: 'Only decisions of this site.' }),
    ),
    verdict: Type.Optional(
      Type.Enum(['on-track', 'needs-a-look', 'off-track', 'flagged'], {
        description: 'Only phases with this verdict, or flagged phases.',
      }),
    ),
    skipped: Type.Optional(
      Type.Enum(['true', 'false'], {
        description: 'true: only those without an answer; false: only those with one.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only ratings since this time: a date or an age, such as 12h or 7d.',
      }),
    ),
    limit: Type.Optional(Limit(MAX_DECISIONS, DEFAULT_DECISIONS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type DecisionsQuery = Type.Static<typeof DecisionsQuery>;

/** What a person thinks of the rated work. */
export const DecisionLabel = Type.Object({
  verdict: describe(Verdict, 'Whether the work of the phase was good.'),
  note: nullable(Type.String(), 'Why; null = nothing was said.'),
  at: describe(IsoTime, 'When it was said.'),
  by: describe(Caller, 'How the person was authenticated.'),
});
export type DecisionLabel = Type.Static<typeof DecisionLabel>;

/** How a rated phase has turned out. */
export const DecisionOutcome = Type.Object({
  verdict: describe(Verdict, 'Whether the work was good.'),
  why: Type.Enum(
    [
      'thumbs',
      'approved',
      'merged',
      'rejected',
      'message',
      'rerun',
      'escalated',
      'failed',
      'changes-requested',
      'reverted',
    ],
    {
      description:
        'What a person did: `thumbs` is their own label, which outweighs everything else.',
    },
  ),
});
export type DecisionOutcome = Type.Static<typeof DecisionOutcome>;

/** A record of the decision layer, with the outcome of it. */
export const DecisionEntry = Type.Object({
  jobId: Type.String({ description: 'The job.' }),
  ...DecisionRecord.properties,
  raw: Type.Unknown({ description: 'The answers as they came; null = none did.' }),
  digestVersion: nullable(Type.Integer(), 'Which form of digest it was shown.'),
  label: nullable(DecisionLabel, 'What a person thinks of the work; null = no one has said.'),
  outcome: nullable(DecisionOutcome, 'The outcome of the phase; null = it is not known.'),
});
export type DecisionEntry = Type.Static<typeof DecisionEntry>;

/** Reply of GET /decisions; X-Total-Count has their total number. */
export const DecisionList = Type.Array(DecisionEntry);

/** Body of POST /decisions/label. */
export const LabelDecisionBody = Type.Object(
  {
    ...EntryKey,
    verdict: nullable(
      Type.Enum(['good', 'bad'], { description: 'What the work was; null takes it back.' }),
    ),
    note: Type.Optional(
      Type.String({ maxLength: MAX_NOTE_CHARS, description: 'Why, in your words.' }),
    ),
  },
  closed,
);
export type LabelDecisionBody = Type.Static<typeof LabelDecisionBody>;

/** Body of POST /decisions/replay. */
export const ReplayDecisionBody = Type.Object(
  {
    ...EntryKey,
    ask: Type.Optional(
      Type.Boolean({
        description:
          'Also asks the provider that is configured now, and compares. Nothing is recorded. Default: false.',
      }),
    ),
  },
  closed,
);
export type ReplayDecisionBody = Type.Static<typeof ReplayDecisionBody>;

const DigestLines = Type.Array(Type.String());

/** Reply of POST /decisions/replay. */
export const DecisionReplay = Type.Object({
  recorded: Type.String({ description: 'SHA-256 of the digest that the decider was shown.' }),
  rebuilt: Type.String({ description: 'SHA-256 of the digest made now from the same rows.' }),
  same: Type.Boolean({ description: 'Whether they are the same bytes.' }),
  why: nullable(Type.String(), 'Why they differ; null = they do not.'),
  digest: Type.Object(
    {
      facts: DigestLines,
      tools: DigestLines,
      failures: DigestLines,
      people: DigestLines,
      claims: DigestLines,
      history: DigestLines,
      truncated: DigestLines,
    },
    { description: 'The digest made now, section by section.' },
  ),
  asked: nullable(
    Type.Object({
      provider: Type.String({ description: 'The provider that was asked now.' }),
      model: Type.String({ description: 'Its pinned model.' }),
      ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
      skipped: nullable(Type.String(), 'Why it gave no rating; null = it did.'),
      rating: describe(DecisionRecord.properties.rating, 'What it answers now.'),
    }),
    'What the provider answers now; null = it was not asked.',
  ),
  earlier: describe(
    DecisionRecord.properties.rating,
    'What was answered when the phase was rated.',
  ),
});
export type DecisionReplay = Type.Static<typeof DecisionReplay>;
