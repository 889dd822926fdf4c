import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { CommitNotice } from '../../../src/kernel/contract.ts';
import type { Kernel } from '../../../src/contract/records/changes.ts';
import type { StateFrame } from '../../../src/contract/schema/job/frames.ts';
import type { TraceSettings } from '../../../src/contract/schema/runner/traceSettings.ts';
import type { Post, PostOutcome } from '../../../src/host/traces/postSpans.ts';
import { TraceExporter, type TraceExporterDeps } from '../../../src/host/traces/traceExporter.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { decodeTraceRequest, type DecodedSpan } from '../../support/traces/decodeTraceRequest.ts';

const DAY_MS = 86_400_000;
/** When the stage begins, epoch ms. */
const BEGIN = Date.UTC(2026, 10, 30);
const TURNS = 40;

export interface StageState {
  /** ms after the beginning. */
  at: number;
  visit: number;
  state: string;
  parked?: string;
  event?: string;
}

const toStateFrame = ({ at, visit, state, parked, event = 'a' }: StageState): StateFrame => {
  const time = new Date(BEGIN + at).toISOString();
  return {
    at: time,
    event,
    status: 'working',
    phase: 'work',
    visit,
    state: [state],
    parked: parked === undefined ? null : { kind: parked, since: time, reason: 'a reason' },
    ended: state.startsWith('ended'),
  };
};

/** A job of one phase and one session, from its start to its end. */
export const WHOLE_JOB: readonly StageState[] = [
  { at: 0, visit: 0, state: 'queued' },
  { at: 10, visit: 1, state: 'working.preparing' },
  { at: 20, visit: 1, state: 'working.inSession' },
  { at: 500, visit: 1, state: 'parked.approval', parked: 'approval' },
  { at: 900, visit: 1, state: 'ended.complete' },
];

/** An exporter on a store in memory, whose clock is moved and whose collector a test answers for. */
export async function openTraceStage() {
  const store = memoryStore();
  const clock = new SimulatedClock(BEGIN);
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [],
    ports: {},
    clock,
  });
  await kernel.start();
  const listeners = new Set<(notice: CommitNotice) => void>();
  const requests: Post[] = [];
  /** The next answers; then everything is accepted. */
  const answers: (PostOutcome | Promise<PostOutcome>)[] = [];
  const warnings: object[] = [];
  const settings: TraceSettings = {
    endpoint: 'http://127.0.0.1:4318',
    headers: {},
    headersVariable: '',
    serviceName: 'svc',
    link: '',
  };
  const open = (more: Partial<TraceExporterDeps> = {}) =>
    new TraceExporter({
      sources: store,
      async writeRows(rows) {
        await kernel.submit({ rows });
      },
      onCommit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      clock,
      random: () => 0,
      log: {
        error: (facts) => void warnings.push(facts),
        warn: (facts) => void warnings.push(facts),
        info: () => {},
      },
      homeId: 'home',
      version: '1.2.3',
      async post(request) {
        requests.push(request);
        return answers.shift() ?? { is: 'accepted', rejected: 0, message: '' };
      },
      settings: () => settings,
      env: {},
      addSecrets: () => {},
      screen: (text) => text,
      ...more,
    });
  return {
    store,
    clock,
    requests,
    answers,
    warnings,
    settings,
    open,
    /** Adds a job without steps; `daysAgo`: when it last changed. */
    addJob(
      jobId: string,
      { daysAgo = 0, parent = null }: { daysAgo?: number; parent?: string | null } = {},
    ): void {
      const at = BEGIN - daysAgo * DAY_MS;
      store.db.run(
        `INSERT INTO job_list (job_id, parent, kind, status, state, since, repo, workflow, phase, title, created_at, text)
         VALUES (?, ?, 'job', 'working', 'working', ?, 'shop', 'workflows/job.md', 'work', '', ?, '')`,
        jobId,
        parent,
        at,
        at,
      );
      store.db.run(
        `INSERT INTO phase_visits (job_id, visit, phase, status, started_at, sessions) VALUES (?, 1, 'work', 'working', ?, 1)`,
        jobId,
        at,
      );
    },
    /** Commits states of a job, after those that it has. */
    commit(jobId: string, states: readonly StageState[]): void {
      const last = Number(
        store.db.get('SELECT coalesce(max(n), 0) AS n FROM frames WHERE actor = ?', jobId)?.n,
      );
      const frames = states.map((state, index) => ({
        actor: jobId,
        n: last + index + 1,
        at: BEGIN + state.at,
        kind: 'state',
        data: { ...toStateFrame(state) },
      }));
      for (const { actor, n, at, kind, data } of frames)
        store.db.run(
          'INSERT INTO frames VALUES (?, ?, ?, ?, ?)',
          actor,
          n,
          at,
          kind,
          JSON.stringify(data),
        );
      for (const listener of listeners) listener({ steps: [], frames });
    },
    /** Moves the clock, and lets everything run that this begins. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      for (let turns = 0; turns < TURNS; turns += 1) await nextTurn();
    },
    spans: (): DecodedSpan[] => requests.flatMap(({ body }) => decodeTraceRequest(body)),
  };
}
