import { CloudStatus } from '../runner/cloudStatus.ts';
import Type from 'typebox';
import { describe, nullable } from '../kit/schemaKit.ts';
import { JobCost } from '../policy/costs.ts';
import { Failures } from '../job/failures.ts';
import { Insight, JobSummary } from '../job/job.ts';
import { NeedsCounts } from '../job/jobNeeds.ts';
import { LastOutput } from '../session/lastOutput.ts';
import { PrDetail, PrStatus } from '../forge/prDetail.ts';
import { WorkflowEntry } from '../workflow/workflow.ts';

const Strings = Type.Array(Type.String());

/** How often an older name was used on this home, so that it can be removed once it is unused. */
export const DeprecatedUse = Type.Object({
  name: Type.String(),
  instead: Type.String(),
  /** By everybody but svc's own command line, whose uses are `ownUses`. */
  uses: Type.Integer(),
  ownUses: Type.Integer(),
  /** ISO 8601; of both. */
  lastUsedAt: Type.String(),
});
export type DeprecatedUse = Type.Static<typeof DeprecatedUse>;

/** Reply of GET /health. */
export const Health = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('stopping')]),
  version: Type.String(),
  mode: Type.Enum(['local', 'hybrid']),
  cloud: Type.Optional(
    describe(CloudStatus, 'The connection to the control plane; left out in local mode.'),
  ),
  startedAt: Type.String(),
  jobs: Type.Object({ live: Type.Integer(), parked: Type.Integer(), ended: Type.Integer() }),
  /** The latest first. */
  deprecatedUses: Type.Array(DeprecatedUse),
});
export type Health = Type.Static<typeof Health>;

/** Reply of GET /jobs; X-Total-Count has their total number. */
export const JobList = Type.Array(JobSummary);

const Count = Type.Integer({ minimum: 0 });
/** Reply of GET /jobs/counts. */
export const JobCounts = Type.Object({
  total: describe(Count, 'How many jobs match.'),
  needs: describe(NeedsCounts, 'How many of them need a person, and how many proposals do.'),
  is: Type.Object(
    {
      'needs-you': Count,
      queued: Count,
      working: Count,
      waiting: Count,
      failed: Count,
      partial: Count,
      complete: Count,
      cancelled: Count,
    },
    {
      description:
        'How many of them are in which state. A job that needs a person counts as needs-you, and where it failed or escalated as failed too; every other job counts once. failed includes sub-runs, whether or not they need a person.',
    },
  ),
  failures: describe(Failures, 'What the number of failed jobs consists of.'),
  cost: Type.Optional(
    describe(
      JobCost,
      'Cost of the matching jobs that are not sub-runs, with their sub-runs; only with sum=cost, left out while nothing was used.',
    ),
  ),
  repos: Type.Array(Type.String(), {
    description: 'Repositories of all jobs, by name, at most 200.',
  }),
  workflows: Type.Array(Type.String(), {
    description: 'Paths of the workflows of all jobs, by name, at most 200.',
  }),
});
export type JobCounts = Type.Static<typeof JobCounts>;
export const InsightList = Type.Array(Insight);
export const WorkflowList = Type.Object({ workflows: Type.Array(WorkflowEntry) });
export type WorkflowList = Type.Static<typeof WorkflowList>;

/** True, false, or unknown before the event arrives. */
const Openness = Type.Union([Type.Boolean(), Type.Literal('depends')]);

/**
 * Reply of GET /jobs/:jobId/why: what it waits for, since when (epoch ms), and every transition.
 */
export const WhyReply = Type.Object({
  id: Type.String(),
  state: Strings,
  since: Type.Number(),
  /** Why a parked job is parked, in words; null = it is not. */
  reason: nullable(Type.String()),
  waitsFor: Strings,
  /** What its agent wrote last, as in the job; left out = nothing failed. */
  lastOutput: Type.Optional(LastOutput),
  waysOut: Type.Array(
    Type.Object({
      event: Type.String(),
      from: Type.String(),
      target: nullable(Type.String()),
      open: Openness,
      guards: Type.Array(
        Type.Object({ name: Type.String(), says: Type.String(), value: Openness }),
      ),
    }),
  ),
  pendingEffects: Type.Array(
    Type.Object({ effectId: Type.String(), type: Type.String(), attempt: Type.Integer() }),
  ),
  timers: Type.Array(Type.Object({ name: Type.String(), due: Type.Number() })),
  /** The rule that made it wait for a person; `allowable`: a person can allow what was wanted. */
  guardrail: Type.Optional(
    Type.Object({
      rule: Type.String(),
      wanted: Type.String(),
      allowable: Type.Boolean(),
      /** A person can allow any size of a change in this job. */
      anySize: Type.Optional(Type.Literal(true)),
      /** What a person has allowed of the rule before, in its words; left out = nothing. */
      allowedBefore: Type.Optional(Type.Object({ at: Type.String(), message: Type.String() })),
    }),
  ),
  /** What rules kept its agents from: the last few, newest first. `at`: the last time, epoch ms. */
  refused: Type.Optional(
    Type.Array(
      Type.Object({
        by: Type.Union([Type.Literal('invariant'), Type.Literal('guardrail')]),
        rule: Type.String(),
        /** The call; empty = the end of a phase. */
        tool: Type.String(),
        phase: Type.String(),
        at: Type.Number(),
        times: Type.Integer(),
        /** What the agent was answered: the rule, and what to do instead. */
        message: Type.String(),
      }),
    ),
  ),
});
export type WhyReply = Type.Static<typeof WhyReply>;

/** Reply of POST /jobs/:jobId/what-if: computed, nothing done. */
export const WhatIfReply = Type.Object({
  accepted: Type.Boolean(),
  /** XState's state value: a name, or names nested in objects. */
  value: Type.Unknown(),
  tags: Strings,
  status: Type.Union([Type.Literal('active'), Type.Literal('done')]),
  changes: Type.Record(Type.String(), Type.Unknown()),
  effects: Type.Array(Type.Object({ type: Type.String(), params: Type.Unknown() })),
});
export type WhatIfReply = Type.Static<typeof WhatIfReply>;

/** One line of GET /jobs/:jobId/journal; `at` is epoch ms, `note` marks lines of recovery. */
export const JournalEntry = Type.Object({
  actor: Type.String(),
  seq: Type.Integer(),
  at: Type.Number(),
  event: Type.Object({ type: Type.String() }, { additionalProperties: true }),
  path: Strings,
  effects: Type.Array(Type.Object({ type: Type.String(), id: Type.Optional(Type.String()) })),
  note: Type.Boolean(),
});
export type JournalEntry = Type.Static<typeof JournalEntry>;
export const JournalList = Type.Array(JournalEntry);

export const ForgeRepo = Type.Object({
  slug: Type.String(),
  path: Type.String(),
  defaultBranch: Type.String(),
});
export type ForgeRepo = Type.Static<typeof ForgeRepo>;
export const ForgeRepoList = Type.Array(ForgeRepo);

/** A pull request as the local forge shows it. */
export const PullRequest = PrStatus;
export type PullRequest = PrStatus;
export const PullRequestList = Type.Array(PullRequest);

export const PullRequestThread = PrDetail;
export type PullRequestThread = PrDetail;

/**
 * Every error of the HTTP surface (RFC 9457). Further members by code: `state` and `accepts`,
 * `diagnostics`, `reason`.
 */
export const Problem = Type.Object(
  {
    /** `urn:svc:problem:<code>`. */
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    /** What is wrong, where, and how to fix it. */
    detail: Type.String(),
    code: Type.String(),
    /** Fields that are wrong: JSON pointer into the body, `?name` for a query parameter. */
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
    ),
    requestId: Type.String(),
  },
  { additionalProperties: true },
);
export type Problem = Type.Static<typeof Problem> & { [member: string]: unknown };
