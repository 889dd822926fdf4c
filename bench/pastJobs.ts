import type { FrameRow } from '../src/kernel/writer.ts';
import type { OpenStore } from '../src/jobs/store/openStore.ts';
import type { RowChange } from '../src/contract/records/changes.ts';
import type { StateFrame } from '../src/contract/schema/job/frames.ts';

const AT_ONCE = 500;
const HOUR_MS = 3_600_000;
/** Days over which the jobs are spread. */
const DAYS = 25;

/** Visits of a job, and states of a visit: it waits for a slot, works, and waits for a person. */
const VISITS = 5;
const STATES = ['queued', 'working.preparing', 'working.inSession', 'parked'] as const;
/** Lines of the log between two states. */
const LINES = 3;

const OUTCOMES = ['complete', 'complete', 'complete', 'failed', 'cancelled'] as const;

export function writePastJobs(store: OpenStore, count: number, now: number): void {
  const generation = store.durable.claim();
  for (let first = 0; first < count; first += AT_ONCE) {
    const jobs = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => first + n);
    const began = (n: number) => now - (1 + (n % (DAYS * 24))) * HOUR_MS;
    void store.durable.commit({
      generation,
      actors: [],
      journal: [],
      outboxPut: [],
      outboxDone: [],
      timersSet: [],
      timersDrop: [],
      inbox: [],
      mailPut: [],
      mailDone: [],
      frames: jobs.flatMap((n) => createFrames(`past-${n}`, began(n))),
      rows: jobs.flatMap((n) => createRows(`past-${n}`, n, began(n))),
    });
  }
}

function createFrames(actor: string, began: number): FrameRow[] {
  const frames: FrameRow[] = [];
  const step = HOUR_MS / (VISITS * STATES.length);
  for (let visit = 1; visit <= VISITS; visit++)
    for (const state of STATES) {
      const at = Math.round(began + (frames.length / (LINES + 1)) * step);
      const base = { at: new Date(at).toISOString(), phase: 'coding', visit };
      const kind = visit % 2 === 0 ? 'approval' : 'event';
      const data: StateFrame = {
        ...base,
        event: 'phase.prepared',
        status: 'coding',
        state: [state],
        parked: state === 'parked' ? { kind, since: base.at, reason: 'It waits.' } : null,
        ended: false,
      };
      frames.push({ actor, n: frames.length + 1, at, kind: 'state', data });
      for (let line = 0; line < LINES; line++) {
        const text = { ...base, from: 'agent', tag: null, line: 'A line of what the agent says.' };
        frames.push({ actor, n: frames.length + 1, at, kind: 'log', data: text });
      }
    }
  return frames;
}

function createRows(job_id: string, n: number, began: number): RowChange[] {
  const state = OUTCOMES[n % OUTCOMES.length] ?? 'complete';
  const visits = Array.from({ length: VISITS }, (_, index) => index + 1);
  const phase = 'coding';
  return [
    {
      op: 'put',
      table: 'job_list',
      row: {
        job_id,
        parent: null,
        kind: 'job',
        status: state,
        state,
        ask: null,
        since: began + HOUR_MS,
        dismissed_at: null,
        repo: 'shop',
        workflow: `workflows/${n % 7}.md`,
        phase,
        title: job_id,
        created_at: began,
        text: job_id,
      },
    },
    ...visits.flatMap((visit): RowChange[] => [
      {
        op: 'put',
        table: 'phase_visits',
        row: {
          job_id,
          visit,
          phase,
          status: phase,
          started_at: began + visit,
          ended_at: null,
          sessions: 1,
          overlay_hash: null,
          outcome: null,
          approved_by: null,
        },
      },
      {
        op: 'put',
        table: 'token_usage',
        row: {
          job_id,
          visit,
          session: 1,
          phase,
          input_tokens: 1_000,
          output_tokens: 100,
          cached_input_tokens: 0,
          cache_write_tokens: null,
        },
      },
    ]),
  ];
}
