import { hashApprovalContent, type JobContext } from '../../../machines/index.ts';
import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import { SIMULATION_BEGINS } from './simulatedClock.ts';
import { SPENT_DAY } from './jobStates.ts';
import { goodAnswers } from '../decisions/aQuestion.ts';
import { FAR_OFF, createRating, MANAGE, OBSERVE } from './ratings.ts';

/** A repeatable source of numbers in [0, 1): the same seed gives the same walk. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const phase = (
  name: string,
  more: Partial<WorkflowTable['phases'][number]> = {},
): WorkflowTable['phases'][number] => ({
  name,
  agent: `agents/${name}.md`,
  model: null,
  status: name,
  interactive_checkpoint: false,
  provider: null,
  obligations: null,
  ...more,
});

/**
 * A workflow with everything that the chart knows: a checkpoint, a phase without agent that waits
 * for sub-runs, a gate.
 */
export const WALK_WORKFLOW: WorkflowTable = {
  initial_phase: 'planning',
  initial_status: 'planning',
  phases: [
    phase('planning', { interactive_checkpoint: true }),
    phase('coding'),
    phase('awaiting-merge', { agent: null, status: 'awaiting-pr-merge' }),
    phase('testing'),
    phase('reporting'),
  ],
  coordinator: {
    enabled: true,
    parkPhase: 'awaiting-merge',
    parkStatus: 'awaiting-sub-runs',
    resumePhase: 'testing',
    subRunWorkflowPath: 'workflows/job.md',
    subRunParamsDefault: {},
    maxParallelSubRuns: 1,
    failurePolicy: 'continue',
    forwardSiblingInsights: false,
  },
};

/**
 * The same with checkpoints wherever one can be: without an agent, where the job waits for
 * sub-runs, at the end.
 */
const STRICT_WORKFLOW: WorkflowTable = {
  ...WALK_WORKFLOW,
  phases: [
    phase('planning', { interactive_checkpoint: true }),
    phase('review', { agent: null, interactive_checkpoint: true }),
    phase('coding'),
    phase('awaiting-merge', {
      agent: null,
      status: 'awaiting-pr-merge',
      interactive_checkpoint: true,
    }),
    phase('testing'),
    phase('reporting', { interactive_checkpoint: true }),
  ],
};

export const walkWorkflow = (random: () => number): WorkflowTable =>
  random() < 0.8 ? WALK_WORKFLOW : STRICT_WORKFLOW;

/** A time within a walk, which begins with the simulated clock and moves on 1 ms an event. */
export const walkTime = (random: () => number): string =>
  new Date(SIMULATION_BEGINS + Math.floor(random() * 40)).toISOString();

const SETTLED = {
  type: 'subRuns.settled',
  counts: { pending: 0, ready: 0, dispatched: 0, complete: 1, failed: 0, escalated: 0, skipped: 0 },
  failures: [],
  failed: 0,
};

const PR = {
  prId: 'local:demo#1',
  forge: 'local',
  repo: 'demo',
  number: 1,
  title: 'A change',
  head: 'change',
  base: 'main',
  url: 'http://127.0.0.1/1',
  state: 'open' as const,
  workItem: null,
  mergedAt: null,
};

const createPrWrittenEvent = (key: string) => ({
  type: 'forge.wrote',
  key,
  operation: 'create_pr',
  ok: true,
  pr: PR,
  result: {},
});

type WalkEvent = { type: string; [key: string]: unknown };

/** How often a walk takes the way that leads on: without it hardly one would come to an end. */
const ONWARD = 0.45;

const onward = (at: string, context: JobContext, random: () => number): WalkEvent => {
  const { visit, session, workItems, phase: name } = context;
  const fence = { visit, session };
  const open = workItems.find(({ status }) => status === 'pending' || status === 'in-progress');
  switch (at) {
    case 'queued':
      return { type: 'slot.granted' };
    case 'working.preparing':
      // Now and then its author has changed it.
      return {
        type: 'phase.prepared',
        visit,
        overlayHash: 'h',
        checkout: null,
        workflow: random() < 0.05 ? walkWorkflow(random) : context.workflow,
      };
    case 'working.inSession':
      if (context.subRuns === 'collecting' && random() < 0.5)
        return { type: 'tool.finalize_sub_runs', ...fence };
      if (context.writes[0] !== undefined) return createPrWrittenEvent(context.writes[0]);
      if (random() < 0.05) {
        return {
          type: 'tool.forge_write',
          ...fence,
          key: `first${visit}`,
          forge: 'local',
          operation: 'create_pr',
          args: {},
        };
      }
      if (context.prs.some(({ state }) => state === 'open') && random() < 0.1) {
        return {
          type: 'tool.await_event',
          ...fence,
          kinds: null,
          prId: null,
          resumePhase: random() < 0.5 ? 'testing' : null,
        };
      }
      if (open && name === 'reporting')
        return { type: 'tool.update_work_item', ...fence, id: open.id, status: 'complete' };
      return { type: 'session.ended', ...fence, stopReason: 'end_turn', error: null, usage: null };
    case 'working.stopping':
      return random() < 0.2
        ? { type: 'stop.overdue' }
        : { type: 'session.ended', ...fence, stopReason: 'interrupted', error: null, usage: null };
    case 'parked.subRuns':
      return random() < 0.3 ? { type: 'subRuns.halted', names: ['a'] } : SETTLED;
    case 'parked.halted':
      return random() < 0.5 ? { type: 'subRuns.goOn' } : SETTLED;
    case 'parked.approval':
      return {
        type: 'job.resume',
        eventKey: 'approve',
        shown: hashApprovalContent(context),
        by: 'token',
      };
    default:
      return { type: 'job.resume', eventKey: 'go' };
  }
};

/**
 * One event that could be sent now: often one that leads on, else any, sometimes one of
 * another visit or out of turn.
 */
export const randomEvent = (
  random: () => number,
  at: string,
  context: JobContext,
  serial: number,
): WalkEvent => {
  if (random() < ONWARD) return onward(at, context, random);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const stale = random() < 0.05 ? 1 : 0;
  const fence = { visit: context.visit - stale, session: context.session };
  const item = (id: string, status: string) => ({
    id,
    title: `Item ${id}`,
    status,
    loopCount: 0,
    prIds: [],
  });
  const inboxItem = () => 1 + Math.floor(random() * Math.max(1, context.inbox.arrived));
  const offer = () => ({ ...fence, id: `m${serial - 1}`, attempt: 1 });
  const events: readonly (() => WalkEvent)[] = [
    () => ({ type: 'slot.granted' }),
    () => ({ type: 'slot.granted' }),
    () => ({
      type: 'phase.prepared',
      visit: fence.visit,
      workflow: context.workflow,
      overlayHash: 'h',
      checkout: { dir: 'demo', absDir: '/w/demo' },
    }),
    () => ({
      type: 'phase.prepared',
      visit: fence.visit,
      workflow: walkWorkflow(random),
      overlayHash: 'h',
      checkout: null,
    }),
    () => ({
      type: 'phase.unprepared',
      visit: fence.visit,
      message: 'no such branch',
      diagnostics: [],
      ...(random() < 0.5 ? { retry: true as const } : {}),
    }),
    () => ({ type: 'session.ended', ...fence, stopReason: 'end_turn', error: null, usage: null }),
    () => ({
      type: 'session.ended',
      ...fence,
      stopReason: 'end_turn',
      error: null,
      usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0 },
      ...(random() < 0.3 ? { held: { rule: 'mine', text: 'guardrail mine: no' } } : {}),
    }),
    () => ({
      type: 'session.ended',
      ...fence,
      stopReason: pick([
        'error',
        'limit',
        'pause_turn',
        'interrupted',
        'quota',
        'quota',
        'died',
        'died',
      ]),
      error: 'it broke',
      ...(random() < 0.5 ? { fault: pick(['own-exit', 'not-started', 'refused'] as const) } : {}),
      usage: null,
    }),
    () => ({
      type: 'tool.set_work_items',
      ...fence,
      items: [item('a', 'in-progress'), item('b', pick(['pending', 'complete']))],
    }),
    () => ({
      type: 'tool.update_work_item',
      ...fence,
      id: pick(['a', 'b', 'c']),
      status: pick(['complete', 'complete', 'in-progress', 'escalated']),
    }),
    () => ({
      type: 'tool.goto_phase',
      ...fence,
      phase: pick(['planning', 'coding', 'testing', 'reporting', 'nowhere']),
      reason: 'because',
    }),
    () => ({
      type: 'tool.await_event',
      ...fence,
      kinds: pick([null, ['merged'], ['commented']]),
      prId: null,
      resumePhase: pick([null, null, 'coding', 'reporting']),
      ...(random() < 0.4 ? { external: 'a review' } : {}),
    }),
    () => ({
      type: 'session.ended',
      ...fence,
      stopReason: 'interrupted',
      error: null,
      usage: null,
      budget: SPENT_DAY,
    }),
    () => ({
      type: 'session.ended',
      ...fence,
      stopReason: 'end_turn',
      error: null,
      usage: null,
      judge: pick([MANAGE, MANAGE, MANAGE, MANAGE, OBSERVE]),
    }),
    () => ({
      type: 'phase.judged',
      ...fence,
      judgement: createRating(
        pick([
          { answers: goodAnswers },
          { answers: FAR_OFF },
          { answers: FAR_OFF },
          { skipped: 'It answers 503.' },
        ]),
      ),
    }),
    // Again: few walks come to a rating, and fewer to one that pauses the job.
    () => ({ type: 'phase.judged', ...fence, judgement: createRating({ answers: FAR_OFF }) }),
    () => ({ type: 'phase.judged', ...fence, judgement: createRating({ answers: FAR_OFF }) }),
    () => ({ type: 'judge.overdue' }),
    () => ({ type: 'budget.exceeded', exceeded: SPENT_DAY }),
    () => ({ type: 'budget.renewed' }),
    () => ({ type: 'quota.reset' }),
    () => ({
      type: 'quota.closed',
      pool: 'pool:anthropic:x:none',
      kind: 'exhausted',
      window: null,
      until: null,
    }),
    () => ({ type: 'quota.adopted', pool: 'pool:anthropic:x:none' }),
    () => ({ type: 'outage.over' }),
    () => ({ type: 'tool.register_sub_run', ...fence, name: 'a' }),
    () => ({ type: 'tool.finalize_sub_runs', ...fence }),
    () => ({
      type: 'tool.convert_to_workflow',
      ...fence,
      workflowPath: 'workflows/campaign.md',
      workflow: walkWorkflow(random),
      toPhase: 'planning',
      reason: 'too large',
    }),
    () => SETTLED,
    () => ({ type: 'subRuns.halted', names: ['a'] }),
    () => ({ type: 'subRuns.goOn' }),
    () => ({ type: 'subRuns.hindered', message: 'a: no layer', needsPerson: random() < 0.5 }),
    () => ({ type: 'tool.escalate', ...fence, message: 'help' }),
    () => ({ type: 'tool.request_new_session', ...fence, prompt: pick([null, 'continue']) }),
    () => ({
      type: 'tool.set_job_params',
      ...fence,
      params: pick([{ note: serial }, { repoSlug: 'other' }]),
    }),
    () => ({
      type: 'tool.switch_workflow',
      ...fence,
      workflowPath: pick(['workflows/other.md', 'workflows/job.md']),
      workflow: walkWorkflow(random),
      toPhase: pick(['planning', 'coding', 'testing']),
      reason: 'fits better',
    }),
    () => ({
      type: 'tool.post_artifact',
      ...fence,
      id: `art${serial}`,
      kind: pick(['plan-md', 'report-md']),
      title: 'Text',
      mime: 'text/markdown',
      size: 3,
      sha256: `sha${serial}`,
    }),
    () => {
      const proposal = { kind: 'memory', layer: 'tenant', paths: ['memory/build.md'] };
      return pick([
        {
          type: 'tool.add_insight',
          ...fence,
          id: `ins${serial}`,
          category: 'convention',
          text: 'tabs',
        },
        { type: 'tool.propose_change', ...fence, id: `prop${serial}`, ...proposal },
      ]);
    },
    () => ({
      type: 'tool.forge_write',
      ...fence,
      key: `k${serial}`,
      forge: 'local',
      operation: 'create_pr',
      args: {},
    }),
    () => ({
      type: 'forge.wrote',
      key: context.writes[0] ?? 'none',
      operation: 'create_pr',
      ok: true,
      pr: pick([PR, null]),
      result: {},
    }),
    () => ({
      type: 'job.resume',
      eventKey: pick(['approve', 'manual-resume', 'reject', 'other']),
      ...(random() < 0.5 ? { shown: random() < 0.5 ? hashApprovalContent(context) : 'old' } : {}),
    }),
    () => ({
      type: 'job.resume',
      eventKey: 'manual-resume',
      ...(random() < 0.2 ? { unattended: walkTime(random) } : {}),
    }),
    () => ({ type: 'until.reached' }),
    () => ({ type: 'job.message', id: `m${serial}`, text: 'please', author: 'ann' }),
    () => ({
      type: 'job.message',
      id: `m${serial}`,
      text: 'rather this',
      author: 'ann',
      replaces: inboxItem(),
    }),
    () => ({
      type: 'message.offered',
      ...offer(),
      how: pick(['kickoff', 'folded', 'interrupt']),
      interrupted: null,
    }),
    () => ({ type: 'message.delivered', ...offer() }),
    () => ({ type: 'message.acknowledged', ...offer(), n: inboxItem() }),
    () => ({ type: 'job.pause' }),
    () =>
      random() < 0.15
        ? { type: 'job.cancel', reason: pick([null, 'no longer needed']) }
        : { type: 'slot.granted' },
    () => ({ type: 'job.rerun', phase: pick(['planning', 'coding', 'testing', 'nowhere']) }),
    () => ({ type: 'insight.remove', id: `ins${serial - 1}` }),
    () => ({
      type: 'forge.event',
      event: {
        ...PR,
        kind: pick(['approved', 'commented', 'merged', 'closed']),
        author: 'ann',
        text: 'look',
        externalId: `e${serial}`,
        happenedAt: serial,
      },
    }),
    () => ({
      type: 'effect.givenUp',
      effect: pick(['phase.prepare', 'session.open', 'forge.write', 'session.stop']),
      why: 'port-failed',
      attempts: 4,
      error: 'no disk',
      ...(random() < 0.5 ? { code: 'unreachable' } : {}),
      ...fence,
      key: pick([null, context.writes[0] ?? null]),
    }),
    () => ({ type: 'stop.overdue' }),
  ];
  return pick(events)();
};
