import Type from 'typebox';
import {
  DEFAULT_PROPOSALS,
  MAX_PROPOSALS,
  PROPOSAL_KINDS,
  PROPOSAL_LAYERS,
  PROPOSAL_STATES,
  PROPOSAL_WARNINGS,
} from '../../../shared/agents/proposals.ts';
import { Caller } from '../runner/caller.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Diagnostic } from './diagnostic.ts';
import { IsoTime } from '../kit/isoTime.ts';
import { Limit, Offset } from '../kit/page.ts';
import { nullable } from '../kit/nullable.ts';
import { closed } from '../kit/closed.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Author = Type.String({ minLength: 1, maxLength: 100 });

/** Something that a person should know before they approve a proposal. */
export const ProposalWarning = describeMembers(
  Type.Object({
    id: Type.String(),
    kind: Type.Enum([...PROPOSAL_WARNINGS]),
    path: Type.String(),
    says: Type.String(),
    allow: Type.Boolean(),
  }),
  {
    id: 'Names it; the same for the same content.',
    kind: 'runs: it makes a program run; widens: agents may do more; weakens: a rule or a checkpoint is gone; hides: the text is not what it looks like; large: it is too long to be read in passing.',
    path: 'The file.',
    says: 'What it is.',
    allow: 'Whether an approval must name it.',
  },
);
export type ProposalWarning = Type.Static<typeof ProposalWarning>;

/** One change of a proposal by what it means. */
export const MeaningChange = describeMembers(
  Type.Object({ path: Type.String(), says: Type.String() }),
  {
    path: 'The file.',
    says: 'What changes, such as: phase review: asks for approval.',
  },
);
export type MeaningChange = Type.Static<typeof MeaningChange>;

/** A workflow of a proposal as it plays without agents. */
const PlayedWorkflow = describeMembers(
  Type.Object({ path: Type.String(), outcome: Type.String(), says: Type.String() }),
  { path: 'The workflow.', outcome: 'How a simulated job ends.', says: 'The same in words.' },
);

/** What svc has found out about the proposed state. */
export const ProposalChecks = describeMembers(
  Type.Object({
    findings: Type.Array(Diagnostic),
    simulated: Type.Array(PlayedWorkflow),
    meaning: Type.Array(MeaningChange),
    warnings: Type.Array(ProposalWarning),
  }),
  {
    findings: 'Findings of the linter, also in other files that the change breaks.',
    simulated: 'Each changed workflow, played without agents.',
    meaning: 'What changes, by its meaning.',
    warnings: 'What to know before it is approved.',
  },
);
export type ProposalChecks = Type.Static<typeof ProposalChecks>;

/** Reply of POST /intelligence/preflight. */
export const PreflightReply = describeMembers(
  Type.Object({
    ok: Type.Boolean(),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        kind: Type.Enum(['workflow', 'agent', 'memory', 'skill', 'other']),
        problem: nullable(Type.String()),
      }),
    ),
    ...ProposalChecks.properties,
  }),
  {
    ok: 'Whether they could be written: no path is wrong, and no error was found.',
    files: 'What each file is, and why it could not be written; null = it could.',
  },
);
export type PreflightReply = Type.Static<typeof PreflightReply>;

/** A place where a proposal and a later change of the same file cannot both hold. */
export const MergeConflict = describeMembers(
  Type.Object({
    line: Type.Integer({ minimum: 1 }),
    base: Type.String(),
    proposed: Type.String(),
    current: Type.String(),
  }),
  {
    line: 'Line of the present text at which it begins, from 1.',
    base: 'The lines as the proposal found them.',
    proposed: 'The lines as it wants them.',
    current: 'The lines as they are now.',
  },
);
export type MergeConflict = Type.Static<typeof MergeConflict>;

/** One file of a proposal. */
export const ProposalFile = describeMembers(
  Type.Object({
    path: Type.String(),
    change: Type.Enum(['added', 'changed', 'removed']),
    base: nullable(Type.String()),
    proposed: nullable(Type.String()),
    current: nullable(Type.String()),
    replaces: nullable(Type.String()),
    merged: nullable(Type.String()),
    conflicts: Type.Array(MergeConflict),
    diff: Type.String(),
  }),
  {
    path: 'Its path in the layer; of a repository, its path there.',
    change: 'What the proposal does to it.',
    base: 'Its text when it was proposed; null = it did not exist.',
    proposed: 'The proposed text; null = it is removed.',
    current: 'Its text now; null = it does not exist. Of what is decided, as it was then.',
    replaces:
      'Text of an earlier layer that counts where this layer has no such file; null = none.',
    merged: 'What applying it writes now; null = it removes the file, or there are conflicts.',
    conflicts: 'Where it cannot be joined with what has changed since; empty = it can.',
    diff: 'What applying it changes, as git shows it; with conflicts, what is proposed.',
  },
);
export type ProposalFile = Type.Static<typeof ProposalFile>;

/** What a person has decided about a proposal. */
const Decided = describeMembers(
  Type.Object({ at: IsoTime, author: Type.String(), by: Caller, reason: nullable(Type.String()) }),
  {
    at: 'When.',
    author: 'The name that they gave.',
    by: 'How the request came in.',
    reason: 'Why, in their words; null = none was given.',
  },
);

/** A proposal as lists show it. */
export const ProposalSummary = describeMembers(
  Type.Object({
    id: Type.String(),
    kind: Type.Enum([...PROPOSAL_KINDS]),
    layer: Type.Enum([...PROPOSAL_LAYERS]),
    repo: nullable(Type.String()),
    description: Type.String(),
    state: Type.Enum([...PROPOSAL_STATES]),
    jobId: nullable(Type.String()),
    phase: nullable(Type.String()),
    at: IsoTime,
    since: IsoTime,
    hash: Hash,
    paths: Type.Array(Type.String()),
    warnings: Type.Integer({ minimum: 0 }),
    problem: nullable(Type.String()),
    link: nullable(Type.String()),
    supersededBy: nullable(Type.String()),
  }),
  {
    id: 'Its id.',
    kind: 'What it is about.',
    layer: 'The layer that it changes.',
    repo: 'The repository of a repo layer; else null.',
    description: 'Why, in the words of its author. Written by an agent unless jobId is null.',
    state: 'State of its chart.',
    jobId: 'The job whose agent has proposed it; null = a person has.',
    phase: 'The phase of that job; else null.',
    at: 'When it was proposed.',
    since: 'Since when it has its state.',
    hash: 'Hash of its content, which an approval is for.',
    paths: 'The files that it changes.',
    warnings: 'How many warnings it has.',
    problem: 'What keeps it from continuing; null = nothing.',
    link: 'The pull request of one that was applied to a repository; else null.',
    supersededBy: 'The proposal that has taken its place; else null.',
  },
);
export type ProposalSummary = Type.Static<typeof ProposalSummary>;

/** Reply of GET /proposals/:id. */
export const Proposal = describeMembers(
  Type.Object({
    ...ProposalSummary.properties,
    files: Type.Array(ProposalFile),
    checks: nullable(ProposalChecks),
    drifted: Type.Boolean(),
    approval: nullable(Decided),
    allowed: Type.Array(Type.String()),
    rejection: nullable(Decided),
    folder: Type.String(),
  }),
  {
    files: 'Its files.',
    checks: 'What was found out about it; null = not yet.',
    drifted: 'Whether a file of it has changed since it was proposed.',
    approval: 'Who has approved it; null = no one.',
    allowed: 'Warnings that the approval names.',
    rejection: 'Who has rejected it; null = no one.',
    folder: 'Folder with a copy of it for people. Editing the copy changes nothing.',
  },
);
export type Proposal = Type.Static<typeof Proposal>;

/** Reply of GET /proposals. */
export const ProposalList = Type.Array(ProposalSummary);

export const ProposalsQuery = describeMembers(
  Type.Object(
    {
      state: Type.Optional(Type.Enum([...PROPOSAL_STATES])),
      needs: Type.Optional(Type.Literal('me')),
      job: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      limit: Type.Optional(Limit(MAX_PROPOSALS, DEFAULT_PROPOSALS)),
      offset: Type.Optional(Offset),
    },
    closed,
  ),
  {
    state: 'Only proposals in this state.',
    needs: 'Only proposals that wait for a person: open, approved or conflicted.',
    job: 'Only proposals of this job.',
  },
);
export type ProposalsQuery = Type.Static<typeof ProposalsQuery>;

/** Body of POST /proposals/:id/approve. */
export const ApproveProposalBody = describeMembers(
  Type.Object(
    {
      hash: Hash,
      allow: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 })),
      author: Type.Optional(Author),
    },
    closed,
  ),
  {
    hash: 'Hash of the content that the person has looked at.',
    allow: 'Ids of warnings that they accept; each that demands it must be named.',
    author: 'Their name; default developer.',
  },
);
export type ApproveProposalBody = Type.Static<typeof ApproveProposalBody>;

/** Body of POST /proposals/:id/reject. */
export const RejectProposalBody = describeMembers(
  Type.Object(
    {
      reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
      author: Type.Optional(Author),
    },
    closed,
  ),
  {
    reason: 'Why; shown to later agents that list proposals.',
    author: 'Their name; default developer.',
  },
);
export type RejectProposalBody = Type.Static<typeof RejectProposalBody>;

/** Body of POST /proposals/:id/apply. */
export const ApplyProposalBody = describeMembers(
  Type.Object({ author: Type.Optional(Author) }, closed),
  {
    author: 'Their name; default developer.',
  },
);
export type ApplyProposalBody = Type.Static<typeof ApplyProposalBody>;
