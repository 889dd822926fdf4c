import { Readable } from 'node:stream';
import { A_SCHEDULE } from './aSchedule.ts';
import { aProposal, aProposalSummary } from './aProposal.ts';
import type { DecisionEntry } from '../../../src/contract/schema/policy/decisionEntry.ts';
import type { Estimate } from '../../../src/contract/schema/policy/estimate.ts';
import type {
  GuardrailDecision,
  GuardrailRule,
} from '../../../src/contract/schema/policy/guardrailView.ts';
import type { Pool } from '../../../src/contract/schema/policy/pool.ts';
import type { Caller } from '../../../src/contract/schema/runner/caller.ts';
import type { FrameRow } from '../../../src/kernel/writer.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { FrameSink, Runner } from '../../../src/contract/runner/runner.ts';
import type { CommandReply } from '../../../src/contract/schema/api/bodies.ts';
import type { Job, JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { Campaign } from '../../../src/contract/schema/job/campaign.ts';
import type { NumberedLine } from '../../../src/contract/schema/job/jobLog.ts';
import { formatLogText } from '../../../src/jobs/views/history/createJobHistory.ts';
import type { Machine } from '../../../src/contract/schema/workflow/machine.ts';
import type { McpServerList } from '../../../src/contract/schema/session/mcpServer.ts';
import type { SubRunEffects } from '../../../src/contract/schema/job/subRun.ts';
import type { PrDetail, PrStatus } from '../../../src/contract/forge/forge.ts';
import { aJob } from './aJob.ts';
import type { Asker } from '../../../src/contract/runner/runnerMethods.ts';

export const JOB_ID = 'svc-job-1767225600000';
export const DOCS_SERVER: McpServerList['servers'][number] = {
  id: 'docs',
  origin: 'config',
  transport: 'http',
  allowedTools: ['search'],
  disallowedTools: [],
};

export const ESTIMATE: Estimate = {
  bound: { usd: 80, tokens: null, sessions: 240, minutes: null },
  assumes: { visits: 8, sessions: 10, subRuns: 0 },
  history: null,
  approvals: [],
  stops: [{ scope: 'job', key: '', window: '', metric: 'usd', cap: 10, left: 10 }],
  text: ['At worst $80.00.', 'No history.', 'It is stopped at $10.00.'],
};

/** A phase that was rated, and about which no one has said anything. */
export const RATED_PHASE: DecisionEntry = {
  jobId: JOB_ID,
  key: 'overseer/2/1',
  site: 'overseer',
  at: '2026-01-01T00:00:00.000Z',
  phase: 'coding',
  visit: 2,
  mode: 'shadow',
  provider: 'rules',
  model: 'decider-1.13.0',
  rating: { goal: 0.8, unmet: null, unmetConfidence: null, seriousness: 0, stuck: 0.1 },
  skipped: null,
  flag: null,
  paused: false,
  ms: 40,
  digest: '0'.repeat(64),
  raw: { goal: { probability: 0.8 } },
  digestVersion: 1,
  label: null,
  outcome: null,
};

/** The smallest chart that can be drawn. */
const MACHINE: Machine = {
  chart: 'job',
  kind: 'actor',
  label: 'job',
  description: '',
  version: 1,
  versions: [{ version: 1, says: '' }],
  definition: {
    path: '',
    name: 'job',
    type: 'atomic',
    initial: null,
    description: null,
    tags: [],
    waits: [],
    entry: [],
    exit: [],
    arrows: [],
    states: [],
  },
};

const AT = '2026-01-01T00:00:00.000Z';

export const createSummary = (id: string, changes: Partial<JobSummary> = {}): JobSummary => ({
  id,
  type: 'job',
  status: 'queued',
  phase: 'planning',
  workflowPath: 'workflows/job.md',
  parentJobId: null,
  parked: null,
  ended: false,
  needs: null,
  since: AT,
  reason: null,
  description: 'a job',
  repoSlug: 'acme/site',
  createdAt: AT,
  updatedAt: AT,
  ...changes,
});

export const toJob = (summary: JobSummary): Job =>
  aJob({
    ...summary,
    tenantId: 'solo-test',
    visit: 1,
    campaignParentId: summary.parentJobId,
    state: ['queued'],
    journalLength: 1,
  });

export const PULL_REQUEST: PrStatus = {
  prId: 'local:acme/site#1',
  forge: 'local',
  repo: 'acme/site',
  number: 1,
  title: 'A change',
  head: 'change',
  base: 'main',
  url: 'http://127.0.0.1/pr/1',
  state: 'open',
  workItem: null,
  mergedAt: null,
  body: '',
  author: 'svc',
  approvals: [],
  mergeable: true,
  comments: 0,
  createdAt: AT,
};

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };

export const CAMPAIGN: Campaign = {
  jobId: JOB_ID,
  state: 'halted',
  waitsFor: 'a person decides about a failure',
  maxParallelSubRuns: 1,
  failurePolicy: 'halt-on-failure',
  subRuns: [
    {
      name: 'api',
      description: 'the api',
      params: {},
      dependsOn: [],
      trackerRef: null,
      jobId: 'site-job-1',
      status: 'failed',
      startedAt: AT,
      completedAt: AT,
      attempt: 1,
      reason: 'no build',
      waitsFor: null,
      jobStatus: 'failed',
      canUnskip: false,
      tokens: NO_TOKENS,
      unreported: 0,
    },
  ],
  criticalPath: ['api'],
  contractDrift: [],
  tokens: NO_TOKENS,
  unreported: 0,
};

export const SUB_RUN_EFFECTS: SubRunEffects = {
  state: 'settled',
  changes: [{ name: 'api', from: 'failed', to: 'skipped', reason: 'not needed' }],
  starts: [],
  stops: [],
};

/** A line of the runner, and one of an agent that would like to be one. */
const LOG_LINES: NumberedLine[] = [
  { tag: 'phase', from: 'runner' as const, line: 'phase planning begins' },
  { tag: null, from: 'agent' as const, line: '[approval] ana approved\r\u001b[2Jrunner | done' },
].map((line, index) => ({
  at: AT,
  phase: 'planning',
  visit: 1,
  number: index + 1,
  n: index + 2,
  ...line,
}));
const NO_CHECKS = { state: 'none' as const, reason: '' };
const PULL_REQUEST_DETAIL: PrDetail = {
  ...PULL_REQUEST,
  thread: [],
  checks: [],
  reviewThreads: [],
  headCommit: 'c1',
  headApprovals: [],
  changesRequested: [],
  checksState: NO_CHECKS,
  requiredChecks: NO_CHECKS,
  mergeState: null,
};

export const RULE: GuardrailRule = {
  id: 'large-diff',
  source: 'built-in',
  enabled: true,
  when: ['write.before'],
  tools: null,
  paths: null,
  do: 'park',
  message: 'Split it.',
  severity: 'medium',
  condition: 'the branch has more lines than `limit`',
  limit: 2000,
  problem: null,
};

export const DECISION: GuardrailDecision = {
  id: '0123456789ab',
  jobId: JOB_ID,
  rule: 'large-diff',
  moment: 'write.before',
  result: 'park',
  tool: 'create_pr',
  phase: 'coding',
  message: 'guardrail large-diff: the change has 3000 lines.',
  at: AT,
  times: 1,
  ms: 1,
  script: null,
  allowed: null,
};

const POOL: Pool = {
  id: 'pool:anthropic:https://api.example:0123456789ab',
  kind: 'anthropic',
  origin: 'https://api.example',
  account: '0123456789ab',
  state: 'exhausted',
  limit: {
    kind: 'exhausted',
    window: '5 hours',
    since: '2026-11-22T12:00:00.000Z',
    until: '2026-11-22T14:13:00.000Z',
  },
  used: 1,
  waiting: 3,
};

export class FakeRunner implements Runner {
  readonly calls: unknown[][] = [];
  readonly summaries = new Map<string, JobSummary>([[JOB_ID, createSummary(JOB_ID)]]);
  readonly stored: FrameRow[] = [];
  readonly sinks = new Set<FrameSink>();
  readonly watchers = new Set<(jobs: readonly JobSummary[]) => void>();
  /** How often a stream asked for frames, and after which one. */
  readonly subscriptions: number[] = [];
  artefactFile = {
    path: '/nowhere',
    mime: 'text/markdown',
    size: 0,
    title: 'Plan.md',
    sha256: 'a'.repeat(64),
  };
  diff = 'diff --git a/x b/x\n';
  failure: unknown = null;

  #note(...call: unknown[]): void {
    this.calls.push(call);
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure;
  }

  #known(id: string): JobSummary {
    const job = this.summaries.get(id);
    if (!job) throw new SvcError('not-found', `Job ${id} does not exist.`);
    return job;
  }

  #command(id: string, ...call: unknown[]): Promise<CommandReply> {
    this.#note(...call);
    const { status, phase } = this.#known(id);
    return Promise.resolve({ jobId: id, status, phase, state: ['queued'], seq: 2 });
  }

  emit(...frames: { kind: string; data: Record<string, unknown> }[]): void {
    const rows = frames.map((frame, index) => ({
      actor: JOB_ID,
      n: this.stored.length + index + 1,
      at: 0,
      ...frame,
    }));
    this.stored.push(...rows);
    for (const sink of [...this.sinks]) sink.frames(rows);
  }

  bye(reason: 'ended' | 'stopping'): void {
    for (const sink of [...this.sinks]) sink.bye(reason);
  }

  health: Runner['health'] = () => {
    this.#note('health');
    return {
      status: 'ok',
      version: '0.2.0',
      mode: 'local',
      startedAt: AT,
      jobs: { live: 1, parked: 0, ended: 0 },
      deprecatedUses: [],
    };
  };

  estimateJob: Runner['estimateJob'] = (body) => {
    this.#note('estimateJob', body);
    return Promise.resolve(ESTIMATE);
  };

  createJob: Runner['createJob'] = async (body, request) => {
    this.#note('createJob', body, request);
    return { jobId: JOB_ID, status: 'queued', streamUrl: `/jobs/${JOB_ID}/stream` };
  };

  jobs: Runner['jobs'] = async (filter) => {
    this.#note('jobs', filter);
    const all = [...this.summaries.values()];
    return { jobs: all.slice(filter.offset, filter.offset + filter.limit), total: all.length };
  };

  jobCounts: Runner['jobCounts'] = async (selection) => {
    this.#note('jobCounts', selection);
    const total = this.summaries.size;
    const is = { queued: total, working: 0, waiting: 0, failed: 0, partial: 0, complete: 0 };
    return {
      total,
      needs: { me: 0, decide: 0, review: 0, broken: 0, snoozed: 0, proposals: 0 },
      failures: { failed: 0, subRuns: 0, escalated: 0 },
      is: { 'needs-you': 0, cancelled: 0, ...is },
      repos: ['acme/site'],
      workflows: ['workflows/job.md'],
    };
  };

  /** How who resumed or dismissed a job came in. */
  resumedBy: Caller | undefined;
  resumedPerson: string | undefined;

  watchJobs(changed: (jobs: readonly JobSummary[]) => void): () => void {
    this.watchers.add(changed);
    return () => this.watchers.delete(changed);
  }

  job: Runner['job'] = (id) => {
    this.#note('job', id);
    return toJob(this.#known(id));
  };

  resume: Runner['resume'] = (id, body, { by, person, requestKey }) => {
    this.resumedBy = by;
    this.resumedPerson = person;
    return this.#command(id, 'resume', id, body, requestKey);
  };
  cancel: Runner['cancel'] = (id, body, { requestKey }) =>
    this.#command(id, 'cancel', id, body, requestKey);
  #aside(call: 'dismiss' | 'undismiss'): Runner['dismiss'] {
    return async (id, { by, requestKey }) => {
      this.resumedBy = by;
      this.#note(call, id, requestKey);
      return this.#known(id);
    };
  }
  dismiss = this.#aside('dismiss');
  undismiss = this.#aside('undismiss');
  snooze: Runner['snooze'] = async (id, body, { requestKey }) => {
    this.#note('snooze', id, body, requestKey);
    return this.#known(id);
  };
  unsnooze: Runner['unsnooze'] = async (id, { requestKey }) => {
    this.#note('unsnooze', id, requestKey);
    return this.#known(id);
  };
  stopAll = async () => {
    this.#note('stopAll');
    return { paused: 2, resting: 1 };
  };
  pause: Runner['pause'] = (id, { requestKey }) => this.#command(id, 'pause', id, requestKey);
  message: Runner['message'] = (id, body, { requestKey }) =>
    this.#command(id, 'message', id, body, requestKey);
  messages: Runner['messages'] = (id) => {
    this.#note('messages', id);
    this.#known(id);
    return { messages: [], total: 0 };
  };
  rerun: Runner['rerun'] = (id, phase, { requestKey }) =>
    this.#command(id, 'rerun', id, phase, requestKey);

  campaign: Runner['campaign'] = (id) => {
    this.#note('campaign', id);
    this.#known(id);
    return CAMPAIGN;
  };

  subRunWhatIf: Runner['subRunWhatIf'] = (id, name, body) => {
    this.#note('subRunWhatIf', id, name, body);
    this.#known(id);
    return { refused: null, ...SUB_RUN_EFFECTS };
  };

  guardrails: Runner['guardrails'] = async () => {
    this.#note('guardrails');
    return { enabled: true, rules: [], ignored: [] };
  };
  guardrailDecisions: Runner['guardrailDecisions'] = (query) => {
    this.#note('guardrailDecisions', query);
    return { decisions: [DECISION], total: 3 };
  };
  dryRunGuardrail: Runner['dryRunGuardrail'] = async (body) => {
    this.#note('dryRunGuardrail', body);
    return { rule: RULE, asked: null, history: null };
  };
  allowGuardrail: Runner['allowGuardrail'] = async (id, body, { by }) => {
    this.#note('allowGuardrail', id, body, by);
    this.#known(id);
    return { decision: DECISION, resumed: true };
  };

  preflight: Runner['preflight'] = async (body) => {
    this.#note('preflight', body);
    return { ok: true, files: [], findings: [], simulated: [], meaning: [], warnings: [] };
  };
  intelligenceHistory: Runner['intelligenceHistory'] = ({ path }) => {
    this.#note('intelligenceHistory', path);
    return [];
  };
  intelligenceVersion: Runner['intelligenceVersion'] = ({ path, n }) => {
    this.#note('intelligenceVersion', path, n);
    return { path, n, text: 'x' };
  };
  mergedFile: Runner['mergedFile'] = async ({ path }) => {
    this.#note('mergedFile', path);
    return { path, text: 'x\n', parts: [{ layer: 'base', lines: 1 }], replaces: [] };
  };

  proposals: Runner['proposals'] = (query) => {
    this.#note('proposals', query);
    return { proposals: [aProposalSummary()], total: 3 };
  };
  proposal: Runner['proposal'] = async (id) => {
    this.#note('proposal', id);
    return aProposal();
  };
  approveProposal: Runner['approveProposal'] = async (id, body, { by }) => {
    this.#note('approveProposal', id, body, by);
    return aProposal({ state: 'approved' });
  };
  rejectProposal: Runner['rejectProposal'] = async (id, body, { by }) => {
    this.#note('rejectProposal', id, body, by);
    return aProposal({ state: 'rejected' });
  };
  applyProposal: Runner['applyProposal'] = async (id, body, { by }) => {
    this.#note('applyProposal', id, body, by);
    return aProposal({ state: 'applied' });
  };

  #subRun(call: 'skipSubRun' | 'unskipSubRun' | 'rerunSubRun' | 'beginSubRun' | 'cancelSubRun') {
    const answer: Runner['rerunSubRun'] = async (id, name, body, { requestKey }) => {
      this.#note(call, id, name, body, requestKey);
      return { jobId: this.#known(id).id, name, status: 'skipped', ...SUB_RUN_EFFECTS };
    };
    return answer;
  }
  skipSubRun = this.#subRun('skipSubRun');
  unskipSubRun = this.#subRun('unskipSubRun');
  rerunSubRun = this.#subRun('rerunSubRun');
  beginSubRun = this.#subRun('beginSubRun');
  cancelSubRun = this.#subRun('cancelSubRun');
  noteDeprecatedUse = (name: string, own?: boolean) =>
    this.#note('deprecatedUse', ...(own ? [name, own] : [name]));

  insights: Runner['insights'] = (id) => {
    this.#note('insights', id);
    this.#known(id);
    return [{ id: 'i1', category: 'pitfall', text: 'mind the gap', phase: 'planning', at: AT }];
  };

  searchInsights: Runner['searchInsights'] = async (query) => {
    this.#note('searchInsights', query);
    const [insight] = this.insights(JOB_ID);
    if (!insight) throw new Error('there is no insight');
    const result = { ...insight, jobId: JOB_ID, repo: 'shop', workflow: 'workflows/job.md' };
    return { insights: [result], total: 3 };
  };

  promoteInsight: Runner['promoteInsight'] = async (id, insightId, body) => {
    this.#note('promoteInsight', id, insightId, body);
    return aProposalSummary();
  };

  removeInsight: Runner['removeInsight'] = async (id, insightId) => {
    this.#note('removeInsight', id, insightId);
  };

  artefact: Runner['artefact'] = async (id, artefactId) => {
    this.#note('artefact', id, artefactId);
    this.#known(id);
    return this.artefactFile;
  };

  mcpServers: Runner['mcpServers'] = async (id) => {
    this.#note('mcpServers', id);
    this.#known(id);
    return { servers: [DOCS_SERVER], notes: [] };
  };

  inheritedMcps: Runner['inheritedMcps'] = async () => {
    this.#note('inheritedMcps');
    return {
      servers: [],
      notes: ['/home/ana/.claude.json is not valid JSON; its servers were left out'],
    };
  };

  why: Runner['why'] = (id) => {
    this.#note('why', id);
    this.#known(id);
    return {
      id,
      state: ['queued'],
      since: 0,
      reason: null,
      waitsFor: ['a free slot'],
      waysOut: [],
      pendingEffects: [],
      timers: [],
    };
  };

  whatIf: Runner['whatIf'] = (id, event) => {
    this.#note('whatIf', id, event);
    return {
      accepted: true,
      value: 'ended',
      tags: [],
      status: 'done' as const,
      changes: {},
      effects: [],
    };
  };

  machine: Runner['machine'] = async (id) => {
    this.#note('machine', id);
    const open = [{ arrow: 'queued#0', open: true as const }];
    return {
      ...MACHINE,
      state: ['queued'],
      accepts: ['job.cancel'],
      open,
      workflow: MACHINE,
      phase: 'planning',
    };
  };

  machines: Runner['machines'] = async () => {
    this.#note('machines');
    return [MACHINE];
  };

  journal: Runner['journal'] = (id, after, limit) => {
    this.#note('journal', id, after, limit);
    const all = [1, 2, 3].map((seq) => ({
      actor: id,
      seq,
      at: 0,
      event: { type: 'job.pause' },
      path: ['queued'],
      effects: [],
      note: false,
    }));
    return all.filter(({ seq }) => seq > after).slice(0, limit);
  };

  log: Runner['log'] = (id, query) => {
    this.#note('log', id, query);
    this.#known(id);
    return { lines: LOG_LINES, total: LOG_LINES.length, lastFrame: 3 };
  };

  searchLog: Runner['searchLog'] = async (id, query) => {
    this.#note('searchLog', id, query);
    this.#known(id);
    return { numbers: [2], more: false };
  };

  logText: Runner['logText'] = (id) => {
    this.#note('logText', id);
    this.#known(id);
    return (async function* () {
      for (const line of LOG_LINES) yield formatLogText(line);
    })();
  };

  timeline: Runner['timeline'] = (id) => {
    this.#note('timeline', id);
    this.#known(id);
    return {
      at: AT,
      phases: ['planning'],
      visits: [],
      spans: [],
      sessions: [],
      restarts: [],
      running: null,
    };
  };

  sinceSuccess: Runner['sinceSuccess'] = async (id) => {
    this.#note('sinceSuccess', id);
    this.#known(id);
    return { phase: 'planning', at: AT, visits: 1, overlay: false, messages: 0, files: null };
  };

  readLastFrame(id: string): number {
    this.#known(id);
    return this.stored.at(-1)?.n ?? 0;
  }

  subscribe(id: string, after: number, sink: FrameSink): () => void {
    this.#known(id);
    this.subscriptions.push(after);
    this.sinks.add(sink);
    const past = this.stored.filter(({ n }) => n > after);
    if (past.length > 0) sink.frames(past);
    return () => this.sinks.delete(sink);
  }

  lintWorkflow: Runner['lintWorkflow'] = async (body) => {
    this.#note('lintWorkflow', body);
    return { diagnostics: [], machine: null, proofs: [] };
  };

  simulateWorkflow: Runner['simulateWorkflow'] = async (body) => {
    this.#note('simulateWorkflow', body);
    return {
      outcome: 'complete',
      state: 'ended.complete',
      status: 'complete',
      phase: 'reporting',
      waitsFor: [],
      message: null,
      took: 5_000,
      timeline: [],
      coverage: [],
      failures: [],
      broken: false,
    };
  };

  statistics: Runner['statistics'] = async (query) => {
    this.#note('statistics', query);
    const failures = { failed: 0, subRuns: 0, escalated: 0 };
    return { from: AT, to: AT, days: [], workflows: [], waits: [], waitsOf: 0, jobs: 0, failures };
  };

  budgets: Runner['budgets'] = (query) => {
    this.#note('budgets', query);
    return { budgets: [] };
  };

  setBudget: Runner['setBudget'] = async (scope, body) => {
    this.#note('setBudget', scope, body);
    return { budgets: [] };
  };

  accounts: Runner['accounts'] = () => {
    this.#note('accounts');
    return [POOL];
  };

  retryAccount: Runner['retryAccount'] = async ({ pool: id }) => {
    this.#note('retryAccount', id);
    return { ...POOL, id };
  };

  decisions: Runner['decisions'] = (query) => {
    this.#note('decisions', query);
    return { decisions: [RATED_PHASE], total: 1 };
  };

  labelDecision: Runner['labelDecision'] = async (body, { by }) => {
    this.#note('labelDecision', body, by);
    return RATED_PHASE;
  };

  replayDecision: Runner['replayDecision'] = async (body) => {
    this.#note('replayDecision', body);
    const [facts, tools, failures, people, claims, history, truncated] = [
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    const digest = { facts, tools, failures, people, claims, history, truncated };
    const hashes = { recorded: '0'.repeat(64), rebuilt: '0'.repeat(64) };
    return { ...hashes, same: true, why: null, digest, asked: null, earlier: RATED_PHASE.rating };
  };

  trackRecord: Runner['trackRecord'] = async (query) => {
    this.#note('trackRecord', query);
    const present = { mode: 'shadow', provider: 'rules', model: 'decider-1.13.0' } as const;
    const lists = { missing: ['Everything.'], ratedBy: [], pauses: [] };
    return { since: AT, ...present, ...lists, of: 0, counted: 0 };
  };

  report: Runner['report'] = async (query) => {
    this.#note('report', query);
    const { sum, rows, total } = await this.costs({});
    const jobs = {
      complete: 1,
      partial: 0,
      failed: 0,
      cancelled: 0,
      working: 1,
      queued: 0,
      waiting: 0,
    };
    const costs = rows.map(({ keys, label, ...cost }) => ({
      jobId: keys[0] ?? null,
      title: label,
      cost,
    }));
    const lists = {
      budgets: [],
      stops: [],
      approvals: [],
      reviews: [],
      finished: [],
      pools: [POOL],
    };
    const failures = { failed: 0, subRuns: 0, escalated: 0 };
    const needs = { me: 1, decide: 0, review: 1, broken: 0, snoozed: 0, proposals: 0 };
    return {
      since: AT,
      until: AT,
      jobs,
      failures,
      needs,
      cost: sum,
      costs,
      costsOf: total,
      ...lists,
    };
  };

  costs: Runner['costs'] = async (query) => {
    this.#note('costs', query);
    const sum = {
      usd: 1.25,
      unpriced: 1,
      calls: 3,
      estimated: 0,
      sessions: 2,
      ms: 60_000,
      inputTokens: 1_000,
      outputTokens: 100,
      cachedInputTokens: 500,
      cacheWriteTokens: 0,
      reasoningTokens: 10,
      unreported: 0,
    };
    const rows = [{ keys: [JOB_ID], label: '=Fix the "total", please', ...sum }];
    const page = { since: null, until: null, total: 1, limit: 100, offset: 0 };
    return { by: ['job'], rows, ...page, sum, prices: '2026-09-23' };
  };

  intelligenceLayers: Runner['intelligenceLayers'] = async (query) => {
    this.#note('intelligenceLayers', query);
    return { layers: [] };
  };

  intelligenceFile: Runner['intelligenceFile'] = async (query) => {
    this.#note('intelligenceFile', query);
    const file = {
      path: query.path,
      layer: 'base' as const,
      text: 'Text.',
      editable: false,
      layers: ['base' as const],
    };
    return { etag: '"1"', file };
  };

  writeIntelligenceFile: Runner['writeIntelligenceFile'] = async (path, text, ifMatch) => {
    this.#note('writeIntelligenceFile', path, text, ifMatch);
    return { etag: '"2"', diagnostics: [] };
  };

  removeIntelligenceFile: Runner['removeIntelligenceFile'] = async (path, ifMatch) => {
    this.#note('removeIntelligenceFile', path, ifMatch);
  };

  workflows: Runner['workflows'] = async () => {
    this.#note('workflows');
    return [];
  };

  workflowRuns: Runner['workflowRuns'] = (query) => {
    this.#note('workflowRuns', query);
    return { workflow: query.workflow, runs: 0, failed: 0, since: null, transitions: [] };
  };

  pluginJobs: Runner['pluginJobs'] = async (id) => {
    this.#note('pluginJobs', id);
    return [{ id: 'shop-job-1', status: 'coding', needs: [`repository acme/shop of ${id}`] }];
  };

  forges: Runner['forges'] = async () => {
    this.#note('forges');
    const none = { all: 0, undecided: 0 };
    return [
      {
        id: 'local',
        remote: false,
        account: null,
        problem: null,
        budget: null,
        watched: 0,
        polls: 0,
        writes: none,
      },
    ];
  };

  gc: Runner['gc'] = async (body) => {
    this.#note('gc', body);
    return {
      dryRun: body.dryRun ?? false,
      endedBefore: AT,
      removed: [],
      kept: [],
      left: [],
      inUse: 0,
      freed: 0,
      next: null,
    };
  };

  gcSchedule: Runner['gcSchedule'] = () => {
    return { everyMs: null, nextAt: null, runs: [] };
  };

  backup: Runner['backup'] = async (body) => {
    this.#note('backup', body);
    return Readable.from([Buffer.from('tar')]);
  };

  webhook: Runner['webhook'] = async (pluginId, { rawBody }) => {
    this.#note('webhook', pluginId, Buffer.from(rawBody).toString('latin1'));
    return { accepted: true, duplicate: false };
  };

  triggers: Runner['triggers'] = async () => {
    this.#note('triggers');
    return [];
  };

  schedules: Runner['schedules'] = async () => {
    this.#note('schedules');
    return [A_SCHEDULE];
  };

  runSchedule: Runner['runSchedule'] = async (name, { by }) => {
    this.#note('runSchedule', name, by);
    return { jobId: JOB_ID, status: 'queued', streamUrl: `/jobs/${JOB_ID}/stream` };
  };

  resumeSchedule: Runner['resumeSchedule'] = async (name, { by }) => {
    this.#note('resumeSchedule', name, by);
    return A_SCHEDULE;
  };

  forgeRepos: Runner['forgeRepos'] = async () => {
    return [{ slug: 'acme/site', path: '/repos/site', defaultBranch: 'main' }];
  };

  jobPullRequest: Runner['jobPullRequest'] = async (id, prId) => {
    this.#note('jobPullRequest', id, prId);
    this.#known(id);
    return {
      ...PULL_REQUEST_DETAIL,
      verdicts: ['approve', 'request_changes', 'comment'],
      verdictsElsewhere: null,
      resolvable: true,
      svcApprovals: [],
      conflicts: [],
      rebaseRequest: null,
      reviews: [],
    };
  };

  jobPullRequestDiff: Runner['jobPullRequestDiff'] = async (id, prId) => {
    this.#note('jobPullRequestDiff', id, prId);
    return { head: PULL_REQUEST_DETAIL.headCommit, text: this.diff };
  };

  jobPicture: Runner['jobPicture'] = async (id, prId, query) => {
    this.#note('jobPicture', id, prId, query);
    return { mime: 'image/png', bytes: Buffer.from('picture') };
  };

  reviews: Runner['reviews'] = (id) => {
    this.#note('reviews', id);
    this.#known(id);
    return [];
  };

  reviewPullRequest: Runner['reviewPullRequest'] = async (id, prId, body, { by, requestKey }) => {
    this.#note('reviewPullRequest', id, prId, body, by, requestKey);
    return {
      id: 'r1',
      jobId: id,
      prId,
      author: 'developer',
      head: body.head,
      at: AT,
      verdict: body.verdict ?? 'comment',
      body: body.body ?? '',
      state: 'queued',
      problem: null,
      agentToldOf: true,
      given: { state: 'none', reason: null, url: null },
      comments: [],
    };
  };

  approveInSvc: Runner['approveInSvc'] = async (id, prId, body, { by, requestKey }) => {
    this.#note('approveInSvc', id, prId, body, by, requestKey);
    return { person: 'developer', head: body.head, at: AT, current: true };
  };

  setReviewThread: Runner['setReviewThread'] = async (id, prId, threadId, resolved) => {
    this.#note('setReviewThread', id, prId, threadId, resolved);
    return { id: threadId, resolved };
  };

  pullRequests: Runner['pullRequests'] = async (repo) => {
    this.#note('pullRequests', repo);
    return [PULL_REQUEST];
  };

  pullRequest: Runner['pullRequest'] = async (repo, number) => {
    this.#note('pullRequest', repo, number);
    return PULL_REQUEST_DETAIL;
  };

  pullRequestDiff: Runner['pullRequestDiff'] = async (repo, number) => {
    this.#note('pullRequestDiff', repo, number);
    return this.diff;
  };

  #actOnPullRequest(call: string) {
    return async (repo: string, number: number, body: object, { requestKey }: Asker) => {
      this.#note(call, repo, number, body, requestKey);
      return PULL_REQUEST;
    };
  }
  approvePullRequest = this.#actOnPullRequest('approvePullRequest');
  commentPullRequest = this.#actOnPullRequest('commentPullRequest');
  mergePullRequest = this.#actOnPullRequest('mergePullRequest');
  closePullRequest = this.#actOnPullRequest('closePullRequest');
  reopenPullRequest = this.#actOnPullRequest('reopenPullRequest');
}
