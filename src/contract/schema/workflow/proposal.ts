import Type from 'typebox';
import {
  DEFAULT_PROPOSALS,
  MAX_PROPOSALS,
  PROPOSAL_KINDS,
  PROPOSAL_LAYERS,
  PROPOSAL_STATES,
  PROPOSAL_WARNINGS,
} from '../../../base/agents/proposals.ts';
import { Caller } from '../runner/caller.ts';
import { describe, IsoTime, nullable, closed } from '../kit/schemaKit.ts';
import { Diagnostic } from './diagnostic.ts';
import { Limit, Offset } from '../kit/page.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Author = Type.String({ minLength: 1, maxLength: 100 });

/** Something that a person should know before they approve a proposal. */
export const ProposalWarning = Type.Object({
  id: Type.String({ description: 'Names it; the same for the same content.' }),
  kind: Type.Enum([...PROPOSAL_WARNINGS], {
    description:
      'runs: it makes a program run; widens: agents may do more; weakens: a rule or a checkpoint is gone; hides: the text is not what it looks like; large: it is too long to be read in passing.',
  }),
  path: Type.String({ description: 'The file.' }),
  says: Type.String({ description: 'What it is.' }),
  allow: Type.Boolean({ description: 'Whether an approval must name it.' }),
});
export type ProposalWarning = Type.Static<typeof ProposalWarning>;

/** One change of a proposal by what it means. */
export const MeaningChange = Type.Object({
  path: Type.String({ description: 'The file.' }),
  says: Type.String({ description: 'What changes, such as: phase review: asks for approval.' }),
});
export type MeaningChange = Type.Static<typeof MeaningChange>;

/** A workflow of a proposal as it plays without agents. */
const PlayedWorkflow = Type.Object({
  path: Type.String({ description: 'The workflow.' }),
  outcome: Type.String({ description: 'How a simulated job ends.' }),
  says: Type.String({ description: 'The same in words.' }),
});

/** What svc has found out about the proposed state. */
export const ProposalChecks = Type.Object({
  findings: Type.Array(Diagnostic, {
    description: 'Findings of the linter, also in other files that the change breaks.',
  }),
  simulated: Type.Array(PlayedWorkflow, {
    description: 'Each changed workflow, played without agents.',
  }),
  meaning: Type.Array(MeaningChange, { description: 'What changes, by its meaning.' }),
  warnings: Type.Array(ProposalWarning, { description: 'What to know before it is approved.' }),
});
export type ProposalChecks = Type.Static<typeof ProposalChecks>;

/** Reply of POST /intelligence/preflight. */
export const PreflightReply = Type.Object({
  ok: Type.Boolean({
    description: 'Whether they could be written: no path is wrong, and no error was found.',
  }),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      kind: Type.Enum(['workflow', 'agent', 'memory', 'skill', 'other']),
      problem: nullable(Type.String()),
    }),
    { description: 'What each file is, and why it could not be written; null = it could.' },
  ),
  ...ProposalChecks.properties,
});
export type PreflightReply = Type.Static<typeof PreflightReply>;

/** A place where a proposal and a later change of the same file cannot both hold. */
export const MergeConflict = Type.Object({
  line: Type.Integer({
    minimum: 1,
    description: 'Line of the present text at which it begins, from 1.',
  }),
  base: Type.String({ description: 'The lines as the proposal found them.' }),
  proposed: Type.String({ description: 'The lines as it wants them.' }),
  current: Type.String({ description: 'The lines as they are now.' }),
});
export type MergeConflict = Type.Static<typeof MergeConflict>;

/** One file of a proposal. */
export const ProposalFile = Type.Object({
  path: Type.String({ description: 'Its path in the layer; of a repository, its path there.' }),
  change: Type.Enum(['added', 'changed', 'removed'], {
    description: 'What the proposal does to it.',
  }),
  base: nullable(Type.String(), 'Its text when it was proposed; null = it did not exist.'),
  proposed: nullable(Type.String(), 'The proposed text; null = it is removed.'),
  current: nullable(
    Type.String(),
    'Its text now; null = it does not exist. Of what is decided, as it was then.',
  ),
  replaces: nullable(
    Type.String(),
    'Text of an earlier layer that counts where this layer has no such file; null = none.',
  ),
  merged: nullable(
    Type.String(),
    'What applying it writes now; null = it removes the file, or there are conflicts.',
  ),
  conflicts: Type.Array(MergeConflict, {
    description: 'Where it cannot be joined with what has changed since; empty = it can.',
  }),
  diff: Type.String({
    description: 'What applying it changes, as git shows it; with conflicts, what is proposed.',
  }),
});
export type ProposalFile = Type.Static<typeof ProposalFile>;

/** What a person has decided about a proposal. */
const ProposalDecision = Type.Object({
  at: describe(IsoTime, 'When.'),
  author: Type.String({ description: 'The name that they gave.' }),
  by: describe(Caller, 'How the request came in.'),
  reason: nullable(Type.String(), 'Why, in their words; null = none was given.'),
});

/** A proposal as lists show it. */
export const ProposalSummary = Type.Object({
  id: Type.String({ description: 'Its id.' }),
  kind: Type.Enum([...PROPOSAL_KINDS], { description: 'What it is about.' }),
  layer: Type.Enum([...PROPOSAL_LAYERS], { description: 'The layer that it changes.' }),
  repo: nullable(Type.String(), 'The repository of a repo layer; else null.'),
  description: Type.String({
    description: 'Why, in the words of its author. Written by an agent unless jobId is null.',
  }),
  state: Type.Enum([...PROPOSAL_STATES], { description: 'State of its chart.' }),
  jobId: nullable(Type.String(), 'The job whose agent has proposed it; null = a person has.'),
  phase: nullable(Type.String(), 'The phase of that job; else null.'),
  proposer: Type.Optional(
    Type.String({ description: 'The member of a team who has proposed it; left out for others.' }),
  ),
  at: describe(IsoTime, 'When it was proposed.'),
  since: describe(IsoTime, 'Since when it has its state.'),
  hash: describe(Hash, 'Hash of its content, which an approval is for.'),
  paths: Type.Array(Type.String(), { description: 'The files that it changes.' }),
  warnings: Type.Integer({ minimum: 0, description: 'How many warnings it has.' }),
  problem: nullable(Type.String(), 'What keeps it from continuing; null = nothing.'),
  link: nullable(
    Type.String(),
    'The pull request of one that was applied to a repository; else null.',
  ),
  supersededBy: nullable(Type.String(), 'The proposal that replaced it; else null.'),
});
export type ProposalSummary = Type.Static<typeof ProposalSummary>;

/** Reply of GET /proposals/:id. */
export const Proposal = Type.Object({
  ...ProposalSummary.properties,
  files: Type.Array(ProposalFile, { description: 'Its files.' }),
  checks: nullable(ProposalChecks, 'What was found out about it; null = not yet.'),
  drifted: Type.Boolean({ description: 'Whether a file of it has changed since it was proposed.' }),
  approval: nullable(ProposalDecision, 'Who has approved it; null = no one.'),
  allowed: Type.Array(Type.String(), { description: 'Warnings that the approval names.' }),
  rejection: nullable(ProposalDecision, 'Who has rejected it; null = no one.'),
  folder: Type.Optional(
    Type.String({
      description:
        'Folder with a copy of it for people; left out for one of a team. Editing the copy changes nothing.',
    }),
  ),
});
export type Proposal = Type.Static<typeof Proposal>;

/** Reply of GET /proposals. */
export const ProposalList = Type.Array(ProposalSummary);

export const ProposalsQuery = Type.Object(
  {
    state: Type.Optional(
      Type.Enum([...PROPOSAL_STATES], { description: 'Only proposals in this state.' }),
    ),
    needs: Type.Optional(
      Type.Literal('me', {
        description: 'Only proposals that wait for a person: open, approved or conflicted.',
      }),
    ),
    job: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only proposals of this job.' }),
    ),
    limit: Type.Optional(Limit(MAX_PROPOSALS, DEFAULT_PROPOSALS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type ProposalsQuery = Type.Static<typeof ProposalsQuery>;

/** Body of POST /proposals/:id/approve. */
export const ApproveProposalBody = Type.Object(
  {
    hash: describe(Hash, 'Hash of the content that the person has looked at.'),
    allow: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 200,
        description: 'Ids of warnings that they accept; each that demands it must be named.',
      }),
    ),
    author: Type.Optional(describe(Author, 'Their name; default developer.')),
  },
  closed,
);
export type ApproveProposalBody = Type.Static<typeof ApproveProposalBody>;

/** Body of POST /proposals/:id/reject. */
export const RejectProposalBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Why; shown to later agents that list proposals.',
      }),
    ),
    author: Type.Optional(describe(Author, 'Their name; default developer.')),
  },
  closed,
);
export type RejectProposalBody = Type.Static<typeof RejectProposalBody>;

/** Body of POST /proposals/:id/apply. */
export const ApplyProposalBody = Type.Object(
  { author: Type.Optional(describe(Author, 'Their name; default developer.')) },
  closed,
);
export type ApplyProposalBody = Type.Static<typeof ApplyProposalBody>;
