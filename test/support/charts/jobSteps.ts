import {
  hashApprovalContent,
  jobChart,
  type JobContext,
  type JobInput,
  toPublicStatus,
} from '../../../machines/index.ts';
import type { CommittedRating, RatingTerms } from '../../../src/contract/schema/policy/decision.ts';
import type { Exceeded } from '../../../src/contract/schema/policy/exceeded.ts';
import type {
  ProviderEvent,
  ProviderEventKind,
  PrMapping,
} from '../../../src/contract/schema/forge/pr.ts';
import type {
  PhaseDefinition,
  WorkflowTable,
} from '../../../src/contract/schema/workflow/workflow.ts';
import type { WorkItem } from '../../../src/contract/schema/job/workItem.ts';
import type { SessionFault } from '../../../src/base/errors/sessionFaults.ts';
import type { StopReason } from '../../../src/base/jobs/stopReasons.ts';
import { createRating } from './ratings.ts';
import { SteppedChart } from './stepChart.ts';

export const phase = (name: string, more: Partial<PhaseDefinition> = {}): PhaseDefinition => ({
  name,
  agent: `agents/${name}.md`,
  model: null,
  status: name,
  interactive_checkpoint: false,
  provider: null,
  obligations: null,
  ...more,
});

export const workflow = (
  phases: PhaseDefinition[],
  more: Partial<WorkflowTable> = {},
): WorkflowTable => ({
  initial_phase: phases[0]?.name ?? '',
  initial_status: phases[0]?.status ?? '',
  phases,
  coordinator: null,
  ...more,
});

/**
 * The workflow of the specification's table: plan, approval, code, merge, test, evaluate, report.
 */
export const JOB_WORKFLOW = workflow([
  phase('planning', { interactive_checkpoint: true }),
  phase('coding'),
  phase('pr-wait', { agent: null, status: 'awaiting-pr-merge' }),
  phase('testing'),
  phase('evaluation'),
  phase('reporting'),
]);

/**
 * The same for a parent of sub-runs: it plans, waits for them in `waiting`, and comes back in
 * `aggregating`.
 */
export const CAMPAIGN_WORKFLOW = workflow(
  [phase('planning'), phase('waiting', { agent: null }), phase('aggregating')],
  {
    coordinator: {
      enabled: true,
      parkPhase: 'waiting',
      parkStatus: 'awaiting-sub-runs',
      resumePhase: 'aggregating',
      subRunWorkflowPath: 'workflows/sub-run.md',
      subRunParamsDefault: {},
      maxParallelSubRuns: 2,
      failurePolicy: 'halt-on-failure',
      forwardSiblingInsights: true,
    },
  },
);

export const item = (id: string, status: WorkItem['status'] = 'pending'): WorkItem => ({
  id,
  title: `Do ${id}`,
  status,
  loopCount: 0,
  prIds: [],
});

export const pr = (number: number, more: Partial<PrMapping> = {}): PrMapping => ({
  prId: `local:shop#${number}`,
  forge: 'local',
  repo: 'shop',
  number,
  title: `PR ${number}`,
  head: `work-${number}`,
  base: 'main',
  url: `http://127.0.0.1/shop/${number}`,
  state: 'open',
  workItem: null,
  mergedAt: null,
  ...more,
});

export class SteppedJob extends SteppedChart<JobContext> {
  constructor(table: WorkflowTable = JOB_WORKFLOW, more: Partial<JobInput> = {}) {
    super(jobChart, {
      id: 'shop-job-1',
      type: 'job',
      tenantId: 'solo-test',
      workflowPath: 'workflows/job.md',
      workflow: table,
      params: {},
      interactive: true,
      limits: { gateBlocks: 5, sessionsPerVisit: 10 },
      createdAt: Date.UTC(2026, 0, 1),
      ...more,
    } satisfies JobInput);
  }

  get status(): string {
    return toPublicStatus(this.state);
  }

  slot(): boolean {
    return this.send({ type: 'slot.granted' });
  }

  prepared(more: Record<string, unknown> = {}): boolean {
    const { visit, workflow: table } = this.context;
    return this.send({
      type: 'phase.prepared',
      visit,
      workflow: table,
      overlayHash: `hash-${visit}`,
      checkout: null,
      ...more,
    });
  }

  /** Takes the slot where it waits for one, and prepares until an agent runs or the job rests. */
  run(): this {
    if (this.at === 'queued') this.slot();
    while (this.at === 'working.preparing') this.prepared();
    return this;
  }

  tool(name: string, data: Record<string, unknown> = {}): boolean {
    const { visit, session } = this.context;
    return this.send({ type: `tool.${name}`, visit, session, ...data });
  }

  goto(target: string): boolean {
    return this.tool('goto_phase', { phase: target, reason: 'because' });
  }

  awaitEvent(
    data: {
      kinds?: string[];
      prId?: string;
      resumePhase?: string;
      external?: string;
      heard?: string[];
    } = {},
  ): boolean {
    const { kinds = null, prId = null, resumePhase = null, ...more } = data;
    return this.tool('await_event', { kinds, prId, resumePhase, ...more });
  }

  /** Ends the running session and continues until the next agent runs or the job rests. */
  end(
    stopReason: StopReason = 'end_turn',
    error: string | null = null,
    more: {
      resetsAt?: number | null;
      fault?: SessionFault;
      budget?: Exceeded;
      disk?: string;
      work?: string;
      failing?: { hash: string; count: number; first: string };
      judge?: RatingTerms;
      held?: { rule: string; text: string };
    } = {},
  ): this {
    const { visit, session } = this.context;
    this.send({ type: 'session.ended', visit, session, stopReason, error, usage: null, ...more });
    if (this.at === 'working.preparing') this.run();
    return this;
  }

  /** The decision layer answers, and the job continues until the next agent runs or it rests. */
  judge(outcome: CommittedRating['outcome']): boolean {
    const { visit, session } = this.context;
    const event = { type: 'phase.judged', visit, session, judgement: createRating(outcome) };
    return this.send(event);
  }

  createPr(number: number): boolean {
    if (
      !this.tool('forge_write', {
        key: `key-${number}`,
        forge: 'local',
        operation: 'create_pr',
        args: {},
      })
    )
      return false;
    return this.send({
      type: 'forge.wrote',
      key: `key-${number}`,
      operation: 'create_pr',
      ok: true,
      pr: pr(number),
      result: { number },
    });
  }

  prEvent(
    kind: ProviderEventKind,
    number = 1,
    text = '',
    marks: { held?: true; override?: true } = {},
  ): boolean {
    const { prId, forge, repo, url } = pr(number);
    const event: ProviderEvent = {
      kind,
      forge,
      repo,
      number,
      prId,
      author: 'alice',
      text,
      url,
      externalId: `${kind}-${this.now}`,
      happenedAt: this.now,
    };
    return this.send({ type: 'forge.event', event, ...marks });
  }

  message(text = 'hello'): boolean {
    return this.send({ type: 'job.message', id: `m-${this.now}`, text, author: 'developer' });
  }

  resume(eventKey = 'manual-resume', shownHash?: string): boolean {
    return this.send({
      type: 'job.resume',
      eventKey,
      ...(shownHash === undefined ? {} : { shown: shownHash }),
    });
  }

  approve(): boolean {
    return this.resume('approve', hashApprovalContent(this.context));
  }

  pause(): boolean {
    return this.send({ type: 'job.pause' });
  }

  cancel(reason: string | null = null): boolean {
    return this.send({ type: 'job.cancel', reason });
  }

  rerun(target: string): boolean {
    return this.send({ type: 'job.rerun', phase: target });
  }

  givenUp(
    type: string,
    params: unknown,
    error = 'disk full',
    more: { code?: string } = {},
  ): boolean {
    return this.send(
      jobChart.createGivenUpEvent({
        effectId: 'e',
        type,
        params,
        attempts: 4,
        error,
        why: 'port-failed',
        ...more,
      }),
    );
  }

  unreachable(error = 'forge.test does not answer: ECONNREFUSED.'): boolean {
    return this.givenUp('phase.prepare', { visit: this.context.visit }, error, {
      code: 'unreachable',
    });
  }

  /** Lets every guard of the specification's loop run: to a job that has reached the phase. */
  reach(target: string): this {
    this.run();
    for (let steps = 0; this.context.phase !== target && steps < 50; steps++) {
      if (this.at === 'parked.approval') this.approve();
      else this.end();
      this.run();
    }
    return this;
  }
}
