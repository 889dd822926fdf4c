import Type from 'typebox';
import { Caller } from '../runner/caller.ts';
import { DECISION_SITES } from './decision.ts';
import { DecisionRecord } from './decisionRecord.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { Limit, Offset } from '../kit/page.ts';
import { nullable } from '../kit/nullable.ts';
import { closed } from '../kit/closed.ts';

export const DEFAULT_DECISIONS = 50;
export const MAX_DECISIONS = 500;
/** Longest note of a person about a rating. */
export const MAX_NOTE_CHARS = 2_000;

/** Names a record of the decision layer. */
const Named = {
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
    job: Type.Optional({ ...Named.job, description: 'Only ratings of this job.' }),
    key: Type.Optional({ ...Named.key, description: 'Only the one with this key.' }),
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
export const DecisionLabel = describeMembers(
  Type.Object({
    verdict: Verdict,
    note: nullable(Type.String()),
    at: IsoTime,
    by: Caller,
  }),
  {
    verdict: 'Whether the work of the phase was good.',
    note: 'Why; null = nothing was said.',
    at: 'When it was said.',
    by: 'How the person came in.',
  },
);
export type DecisionLabel = Type.Static<typeof DecisionLabel>;

/** How a rated phase has turned out. */
export const DecisionOutcome = describeMembers(
  Type.Object({
    verdict: Verdict,
    why: Type.Enum([
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
    ]),
  }),
  {
    verdict: 'Whether the work was good.',
    why: 'What a person did: `thumbs` is what they said of it, and outweighs all else.',
  },
);
export type DecisionOutcome = Type.Static<typeof DecisionOutcome>;

/** A record of the decision layer, with the outcome of it. */
export const DecisionEntry = describeMembers(
  Type.Object({
    jobId: Type.String(),
    ...DecisionRecord.properties,
    raw: Type.Unknown(),
    digestVersion: nullable(Type.Integer()),
    label: nullable(DecisionLabel),
    outcome: nullable(DecisionOutcome),
  }),
  {
    jobId: 'The job.',
    raw: 'The answers as they came; null = none did.',
    digestVersion: 'Which form of digest it was shown.',
    label: 'What a person thinks of the work; null = no one has said.',
    outcome: 'How the phase has turned out; null = it is not known.',
  },
);
export type DecisionEntry = Type.Static<typeof DecisionEntry>;

/** Reply of GET /decisions; X-Total-Count has their total number. */
export const DecisionList = Type.Array(DecisionEntry);

/** Body of POST /decisions/label. */
export const LabelDecisionBody = Type.Object(
  {
    ...Named,
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
    ...Named,
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
export const DecisionReplay = describeMembers(
  Type.Object({
    recorded: Type.String(),
    rebuilt: Type.String(),
    same: Type.Boolean(),
    why: nullable(Type.String()),
    digest: Type.Object({
      facts: DigestLines,
      tools: DigestLines,
      failures: DigestLines,
      people: DigestLines,
      claims: DigestLines,
      history: DigestLines,
      truncated: DigestLines,
    }),
    asked: nullable(
      describeMembers(
        Type.Object({
          provider: Type.String(),
          model: Type.String(),
          ms: Type.Integer(),
          skipped: nullable(Type.String()),
          rating: DecisionRecord.properties.rating,
        }),
        {
          provider: 'The provider that was asked now.',
          model: 'Its pinned model.',
          ms: 'How long it took, in milliseconds.',
          skipped: 'Why it gave no rating; null = it did.',
          rating: 'What it answers now.',
        },
      ),
    ),
    earlier: DecisionRecord.properties.rating,
  }),
  {
    recorded: 'SHA-256 of the digest that the decider was shown.',
    rebuilt: 'SHA-256 of the digest made now from the same rows.',
    same: 'Whether they are the same bytes.',
    why: 'Why they differ; null = they do not.',
    digest: 'The digest made now, section by section.',
    asked: 'What the provider answers now; null = it was not asked.',
    earlier: 'What was answered when the phase was rated.',
  },
);
export type DecisionReplay = Type.Static<typeof DecisionReplay>;
