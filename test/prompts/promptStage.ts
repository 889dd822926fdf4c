import { NO_BACKLOG } from '../../src/base/concurrency/backlog.ts';
import { join } from 'node:path';
import { buildBatchPrompt } from '../../machines/index.ts';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/workflows/overlay/openOverlay.ts';
import { readLayer } from '../../src/workflows/overlay/readLayer.ts';
import type { Executor, SessionRequest } from '../../src/contract/session/executor.ts';
import { openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { createForges, type Forges } from '../../src/providers/forges.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { PhaseDefinition } from '../../src/contract/schema/workflow/workflow.ts';
import type { OpenParams, OpenSessionDeps } from '../../src/sessions/open/openSessionDeps.ts';
import { createSessionLog } from '../../src/sessions/open/createSessionLog.ts';
import { buildSessionRequest } from '../../src/sessions/open/sessionRequest.ts';
import type { ArrivedBatch, SteerableRun } from '../../src/sessions/steering/steeredRun.ts';
import { resolvePhaseRules } from '../../src/jobs/workspace/resolvePhaseRules.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { toCampaign, jobIn, PLAN } from './recordedJob.ts';

type Deps = Partial<OpenSessionDeps>;
type Item = Parameters<typeof buildBatchPrompt>[0][number];

/** How agents find the tools of a job: a folder of recorded prompts for each. */
export const FORMS = {
  builtin: 'builtin',
  opencode: 'acp:opencode',
  codex: 'acp:codex',
  command: 'command',
} as const;

/** Of self-update, which has no repository, no prompts are recorded. */
const SHIPPED = [
  'workflows/job.md',
  'workflows/job-automerge.md',
  'workflows/campaign.md',
  'workflows/sub-run.md',
];
const layer = await readLayer('base', join(import.meta.dirname, '../../intelligence'));
const overlay = openOverlay(mergeLayers([layer]), { aliases: ['planning', 'coding'] });
const executors = await openBuiltInExecutors({ clock: new SimulatedClock(), settings: {} });

/** Phases of the workflow that merges which are those of another one. */
const SHARED: readonly string[] = ['planning', 'testing', 'evaluation', 'reporting'];

/** Every phase of a shipped workflow that has an agent of its own. */
export const PHASES = SHIPPED.flatMap((workflowPath) =>
  (overlay.workflow(workflowPath).table?.phases ?? [])
    .filter(({ agent }) => agent !== null)
    .filter(({ name }) => !workflowPath.includes('automerge') || !SHARED.includes(name))
    .map((phase) => ({ workflowPath, phase })),
);

/** A forge that knows where its repositories are, which is all that a prompt asks of it. */
const forgesWith = (id: string): Forges => {
  const source = async () => ({ slug: 'acme/shop', path: '/mirror', defaultBranch: 'trunk' });
  const known = { id, serves: () => true, source };
  return createForges([known as Partial<Forges['all']> as ReturnType<Forges['all']>[number]]);
};

export interface Recording {
  workflowPath: string;
  phase: PhaseDefinition;
  /** Executor, or preset of it. */
  provider: string;
  /** Default: github. */
  forge?: string;
  session?: number;
  items?: readonly Item[];
  prompt?: string;
  eventKey?: string;
  preflight?: string;
  job?: Partial<Job>;
  /** The agent continues its conversation after a restart of the runner. */
  resumed?: boolean;
}

/** What the runner would ask the executor in this phase. */
export async function recordedRequest({
  workflowPath,
  phase,
  provider,
  forge = 'github',
  session = 1,
  items = [],
  prompt,
  eventKey,
  preflight = '',
  job: changed = {},
  resumed = false,
}: Recording): Promise<SessionRequest> {
  const planned: Job = { ...jobIn(workflowPath, phase), ...changed };
  const job: Job = { ...planned, params: { ...planned.params, gitProvider: forge } };
  const forges = forgesWith(forge);
  const id = provider.split(':')[0];
  const executor: Executor | undefined = executors.find((one) => one.id === id);
  if (!executor) throw new Error(`There is no executor ${id}.`);
  const batch = buildBatchPrompt(items);
  const arrived: ArrivedBatch = {
    batch,
    items,
    news: batch,
    newItems: items,
    upTo: 0,
    readBefore: null,
    uncertain: false,
  };
  const jobDir = `/home/svc/work/${job.id}`;
  const deps: Deps = {
    settings: {
      home: '/home/svc',
      llm: { defaultProvider: provider, aliases: {} },
      runner: { sessionMinutes: 60, sessionOutputBytes: 1 },
    } as Partial<OpenSessionDeps['settings']> as OpenSessionDeps['settings'],
    workplace: {
      overlayDir: () => `${jobDir}/_intelligence`,
      contractsDir: (parent: string) => `/home/svc/work/${parent}/contracts`,
      session: async () => ({ dir: `${jobDir}/_sessions/1.1`, env: {} }),
      agentSession: async () => (resumed ? 'conversation-1' : null),
      checkoutFacts: async () => ({ branch: 'trunk', checks: ['npm test', 'npm run lint'] }),
      hasCheckout: () => true,
      hasLostWork: () => false,
      forgetLostWork: async () => {},
      checkoutGaps: async () => ({
        submodules: { count: 0, examples: [] },
        copied: { count: 0, examples: [] },
        filtered: new Map(),
        isShallow: false,
      }),
    } as Partial<OpenSessionDeps['workplace']> as OpenSessionDeps['workplace'],
    forges,
    tools: { services: [] } as Partial<OpenSessionDeps['tools']> as OpenSessionDeps['tools'],
    budgets: { note: () => null, usdLeft: () => null } as Partial<
      OpenSessionDeps['budgets']
    > as OpenSessionDeps['budgets'],
    job: () => toCampaign(job),
    listRelated: () => [],
    siteNotes: async () => ({ note: null, lines: [] }),
    prNotes: async () => ({ preflight: preflight === '' ? null : preflight, gateStates: null }),
    log: async () => {},
  };
  const params: OpenParams = {
    visit: job.visit,
    session,
    phase,
    workflowPath,
    inboxFrom: 0,
    inboxTo: 0,
    prompt: prompt ?? null,
    eventKey: eventKey ?? null,
  };
  const resolved = { overlay, mcp: { servers: [], notes: [] } };
  const signal = new AbortController().signal;
  const steered: Partial<SteerableRun> = { kickoff: async () => arrived };
  return buildSessionRequest(
    deps as OpenSessionDeps,
    {
      ref: { jobId: job.id, visit: job.visit, session, phase: phase.name },
      params,
      run: { effectId: 'e', actorId: job.id, attempt: 1, recovered: resumed, signal },
    },
    {
      job,
      resolved: { ...resolved, files: mergeLayers([layer]), layers: [layer], ignored: [] },
      rules: resolvePhaseRules(resolved, phase, { forge, tracker: null }),
      jobDir,
      executor,
      steered: steered as SteerableRun,
      usage: { take: () => undefined },
      checkAfterCall: async () => {},
      quota: { onEvent() {} },
      deadline: { onEvent() {} },
      disk: { onEvent() {} },
      watch: { onCall() {}, onFold() {}, onEvent() {} },
      tools: { url: 'http://127.0.0.1:3000/mcp/1', token: 't' },
      keep: createSessionLog(async () => {}, NO_BACKLOG),
      artefactText: async () => ({
        artefact: PLAN,
        text: '# Plan: retry uploads\n\nUploads that end with 503 are tried again.\n\n- retry-on-503: src/upload.js; done when the test of a second try passes.\n',
        nextOffset: null,
      }),
    },
  );
}

/** Both texts of a session in one file, to be read by people. */
export const asFile = ({ systemPrompt, kickoff }: SessionRequest): string =>
  `<!-- The system prompt. -->\n\n${systemPrompt}\n\n<!-- The first message. -->\n\n${kickoff}\n`;
