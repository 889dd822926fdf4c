import type Type from 'typebox';
import { allowBody, requireBody, type SomeRoutes } from './route.ts';
import {
  CommandReply,
  EmptyBody,
  MessageBody,
  ReasonBody,
  ResumeBody,
  SnoozeBody,
  StopAllReply,
  WhatIfBody,
} from '../schema/api/bodies.ts';
import { JobSummary } from '../schema/job/job.ts';
import { Campaign } from '../schema/job/campaign.ts';
import {
  type SubRunAction,
  SubRunActionBody,
  SubRunReply,
  SubRunWhatIf,
  SubRunWhatIfBody,
} from '../schema/job/subRun.ts';
import { JournalQuery } from '../schema/api/queries.ts';
import { MachineList, MachineReply } from '../schema/workflow/machine.ts';
import { JournalList, WhatIfReply, WhyReply } from '../schema/api/replies.ts';

const refusals = [
  'not-found',
  'not-possible-now',
  'conflict',
  'chart-error',
  'stopping',
  'store-failed',
] as const;

/** Only a rerun takes changed params: bodies of the other actions have none. */
const toAction = <Body extends Type.TSchema>(body: Body, summary: string) =>
  ({
    access: 'write',
    team: 'member',
    summary,
    body: allowBody(body),
    reply: SubRunReply,
    refusals,
  }) as const;

const toOlderAction = <Body extends Type.TSchema>(body: Body, action: SubRunAction) =>
  ({
    ...toAction(body, `Older path of POST /jobs/:jobId/sub-runs/:name/${action}.`),
    deprecated: true,
  }) as const;

export const commandRoutes = {
  // Commands to a job: each replies once it is stored, with the resulting state.
  resume: {
    access: 'write',
    team: 'member',
    summary:
      'Resumes a parked or failed job. `approve` and `reject` answer a checkpoint; `shown` is the hash of what is approved. Without a body: `manual-resume`.',
    body: allowBody(ResumeBody),
    reply: CommandReply,
    refusals: [...refusals, 'shown-required', 'over-budget'],
  },
  cancel: {
    access: 'write',
    team: 'member',
    summary: 'Cancels a job. A running session is asked to stop first.',
    body: allowBody(ReasonBody),
    reply: CommandReply,
    refusals,
  },
  pause: {
    access: 'write',
    team: 'member',
    summary: 'Pauses a job until it is resumed. A running session is interrupted.',
    body: allowBody(EmptyBody),
    reply: CommandReply,
    refusals,
  },
  stopAll: {
    access: 'write',
    team: 'admin',
    summary:
      'Pauses every job that has not ended; sessions that run are interrupted. Each stays paused, also after a restart, until it is resumed.',
    body: allowBody(EmptyBody),
    reply: StopAllReply,
    refusals: ['stopping', 'store-failed'],
  },
  message: {
    access: 'write',
    team: 'member',
    summary:
      'Sends a message to the agent. It is kept until an agent has read it; its receipt shows the progress.',
    body: requireBody(MessageBody),
    reply: CommandReply,
    refusals,
  },
  rerun: {
    access: 'write',
    team: 'member',
    summary: 'Runs a phase again.',
    body: allowBody(EmptyBody),
    reply: CommandReply,
    refusals,
  },
  dismiss: {
    access: 'write',
    team: 'member',
    summary:
      'Dismisses a failed or escalated job: it no longer needs a person, until it fails again.',
    body: allowBody(EmptyBody),
    reply: JobSummary,
    refusals,
  },
  undismiss: {
    access: 'write',
    team: 'member',
    summary: 'Undoes a dismissal: the job needs a person again.',
    body: allowBody(EmptyBody),
    reply: JobSummary,
    refusals,
  },
  snooze: {
    access: 'write',
    team: 'member',
    summary:
      'Puts off what a job needs a person for, until a time or until the job changes. It is in no list of what needs one meanwhile, for all who use this runner.',
    body: requireBody(SnoozeBody),
    reply: JobSummary,
    refusals,
  },
  unsnooze: {
    access: 'write',
    team: 'member',
    summary: 'Ends a snooze: the job needs a person again at once.',
    body: allowBody(EmptyBody),
    reply: JobSummary,
    refusals,
  },
  // The sub-runs of a job that coordinates.
  campaign: {
    access: 'read',
    team: 'viewer',
    summary:
      'The graph of sub-runs: why each one waits, the critical path, contract drift, tokens.',
    reply: Campaign,
    refusals: ['not-found'],
  },
  subRunWhatIf: {
    access: 'compute',
    team: 'viewer',
    summary:
      'Computes what skip, unskip, rerun or cancel of a sub-run would change. Changes nothing.',
    body: requireBody(SubRunWhatIfBody),
    reply: SubRunWhatIf,
    refusals: ['not-found', 'chart-error'],
  },
  skipSubRun: toAction(
    ReasonBody,
    'Skips a sub-run. Sub-runs that wait for it continue as if it were complete.',
  ),
  unskipSubRun: toAction(
    ReasonBody,
    'Undoes a skip, unless the campaign has settled or something that depends on it has started.',
  ),
  rerunSubRun: toAction(SubRunActionBody, 'Runs a sub-run again; the body can change its params.'),
  cancelSubRun: toAction(ReasonBody, 'Ends a sub-run as failed and stops its job.'),
  skipChild: toOlderAction(ReasonBody, 'skip'),
  rerunChild: toOlderAction(SubRunActionBody, 'rerun'),
  cancelChild: toOlderAction(ReasonBody, 'cancel'),
  abandonChild: toOlderAction(ReasonBody, 'cancel'),
  resumeChild: toOlderAction(SubRunActionBody, 'rerun'),
  startChild: toOlderAction(SubRunActionBody, 'rerun'),
  // Questions about a job's chart; none of them changes anything.
  why: {
    access: 'read',
    team: 'viewer',
    summary: 'What a job waits for, since when, and what would move it.',
    reply: WhyReply,
    refusals: ['not-found'],
  },
  whatIf: {
    access: 'compute',
    team: 'viewer',
    summary: 'Computes what an event would lead to. Changes nothing.',
    body: requireBody(WhatIfBody),
    reply: WhatIfReply,
    refusals: ['not-found', 'chart-error'],
  },
  machine: {
    access: 'read',
    team: 'viewer',
    summary:
      'The chart that runs a job, its current state, the open transitions, and its workflow as a chart.',
    reply: MachineReply,
    refusals: ['not-found'],
  },
  machines: {
    access: 'read',
    team: 'viewer',
    summary:
      'Every chart of the system, and the workflows of the base and tenant layers as charts, with everything needed to draw them.',
    reply: MachineList,
    refusals: [],
  },
  journal: {
    access: 'read',
    team: 'viewer',
    summary: 'Every event that a job took, oldest first. Link names the next page.',
    query: JournalQuery,
    reply: JournalList,
    refusals: ['not-found'],
  },
} satisfies SomeRoutes;
