import type { Exceeded } from '../../../src/contract/schema/policy/exceeded.ts';
import { FAR_OFF, MANAGE } from './ratings.ts';
import { CAMPAIGN_WORKFLOW, SteppedJob } from './jobSteps.ts';

export const LEAF_STATES = [
  'queued',
  'working.preparing',
  'working.inSession',
  'working.judging',
  'working.stopping',
  'parked.approval',
  'parked.event',
  'parked.external',
  'parked.quota',
  'parked.budget',
  'parked.outage',
  'parked.developer',
  'parked.flagged',
  'parked.paused',
  'parked.subRuns',
  'parked.halted',
  'ended.complete',
  'ended.failed',
  'ended.escalated',
  'ended.cancelled',
] as const;

export const SPENT_DAY: Exceeded = {
  scope: 'day',
  key: '',
  window: '2026-11-22',
  metric: 'usd',
  cap: 50_000_000,
  spent: 50_120_000,
  by: 'config',
  until: Date.parse('2026-11-23T00:00:00Z'),
  text: 'the budget of the day 2026-11-22 (UTC) is spent: $50.12 of $50.00',
};

export type LeafState = (typeof LEAF_STATES)[number];

/** A job that owns the pull request local:shop#1 and rests in the state. */
export function jobIn(state: LeafState): SteppedJob {
  if (state === 'parked.subRuns' || state === 'parked.halted') {
    const parent = new SteppedJob(CAMPAIGN_WORKFLOW).run();
    parent.createPr(1);
    parent.tool('register_sub_run', { name: 'a' });
    parent.tool('finalize_sub_runs');
    parent.end();
    if (state === 'parked.halted') parent.send({ type: 'subRuns.halted', names: ['a'] });
    return parent;
  }
  const job = new SteppedJob();
  if (state === 'queued') {
    job.run();
    job.createPr(1);
    job.end('interrupted');
    return job;
  }
  if (state === 'working.preparing') {
    job.run();
    job.createPr(1);
    job.end('interrupted').slot();
    return job;
  }
  job.run();
  job.createPr(1);
  if (state === 'parked.approval') return job.end();
  job.reach('coding');
  const { visit, session } = job.context;
  switch (state) {
    case 'working.stopping':
      job.pause();
      break;
    case 'parked.event':
      job.awaitEvent();
      job.end();
      break;
    case 'parked.external':
      job.awaitEvent({ external: 'the security review' });
      job.end();
      break;
    case 'parked.quota':
      job.end('quota', 'The model endpoint cannot answer now (429): slow down', {
        resetsAt: job.now + 3 * 3_600_000,
      });
      break;
    case 'parked.budget':
      job.end('interrupted', null, { budget: SPENT_DAY });
      break;
    case 'parked.outage':
      job.end('interrupted').slot();
      job.unreachable();
      break;
    case 'working.judging':
      job.end('end_turn', null, { judge: MANAGE });
      break;
    case 'parked.flagged':
      job.end('end_turn', null, { judge: MANAGE });
      job.judge({ answers: FAR_OFF });
      break;
    case 'parked.developer':
      job.givenUp('session.open', { visit, session });
      break;
    case 'parked.paused':
      job.pause();
      job.end('interrupted');
      break;
    case 'ended.complete':
      job.reach('reporting').end();
      break;
    case 'ended.failed':
      job.end('error', 'boom');
      break;
    case 'ended.escalated':
      job.tool('escalate', { message: 'help' });
      job.end();
      break;
    case 'ended.cancelled':
      job.cancel('no longer needed');
      job.end('interrupted');
      break;
    default:
  }
  return job;
}
