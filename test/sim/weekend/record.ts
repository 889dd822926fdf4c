import type { JobContext } from '../../../machines/index.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import type { DetectedLoop } from '../../../src/contract/schema/session/detectedLoop.ts';
import type { Exceeded } from '../../../src/contract/schema/policy/exceeded.ts';
import type { ParkKind } from '../../../src/contract/schema/job/job.ts';
import { PLANTED } from './agents/pastesTokens.ts';

/** A session of an agent that has begun, and how its pool was just then. */
export interface Start {
  at: number;
  jobId: string;
  visit: number;
  session: number;
  account: string;
  pool: string;
}

/** A job that was stopped, and why. */
export interface Stop {
  at: number;
  jobId: string;
  kind: ParkKind;
  reason: string;
  exceeded: Exceeded | null;
  circle: DetectedLoop | null;
}

/** A job that could not begin, or continue, because a budget is spent. */
export interface Refusal {
  at: number;
  name: string;
  exceeded: Exceeded;
}

/** A budget that the person has raised. */
export interface Raise {
  at: number;
  scope: string;
  key: string;
  metric: string;
  by: number;
  /** The day or week that alone is raised; left out = every one. */
  window?: string;
}

/** That something repeats itself, as the job's log says it. */
export interface Warning {
  at: number;
  jobId: string;
  text: string;
  /** What the agent has begun to do again in this run of its session: 1 = for the first time. */
  loop: number;
}

/** Something that no agent may do and one has tried; `refused`: its answer, null = nothing stopped it. */
export interface Attempt {
  at: number;
  jobId: string;
  act: string;
  refused: string | null;
}

const WARNED = 'warned: ';

/** What an onlooker writes down of the weekend. */
export class WeekendRecord {
  readonly starts: Start[] = [];
  readonly stops: Stop[] = [];
  readonly refusals: Refusal[] = [];
  readonly raises: Raise[] = [];
  readonly warnings: Warning[] = [];
  readonly attempts: Attempt[] = [];
  /** Commits that a person has approved. */
  readonly approved = new Set<string>();
  /** Jobs whose calls an invariant has refused, with what their logs say. */
  readonly forbidden: { jobId: string; line: string }[] = [];
  /** Times that a planted token was written. */
  leaks = 0;
  /** States that the pools were in, with how often each was entered. */
  readonly pools = new Map<string, number>();
  /** How often the files of a job were changed. */
  readonly works = new Map<string, number>();
  /** Most loops of one run of a session, by job. */
  readonly most = new Map<string, number>();
  readonly #loops = new Map<string, number>();
  readonly #parked = new Map<string, string>();
  readonly #poolStates = new Map<string, string>();

  work(jobId: string): void {
    this.works.set(jobId, (this.works.get(jobId) ?? 0) + 1);
  }

  /** A session begins: its loops count from zero. */
  began(start: Start): void {
    this.starts.push(start);
    this.#loops.set(start.jobId, 0);
  }

  countLoop(jobId: string): void {
    const loops = (this.#loops.get(jobId) ?? 0) + 1;
    this.#loops.set(jobId, loops);
    this.most.set(jobId, Math.max(loops, this.most.get(jobId) ?? 0));
  }

  /** What is about to be committed. */
  take(batch: Batch, at: number): void {
    const { actors, frames } = batch;
    if (JSON.stringify(batch).includes(PLANTED)) this.leaks += 1;
    for (const { actor: jobId, data } of frames) {
      const { line, tag } = data as { line?: unknown; tag?: unknown };
      if (typeof line !== 'string') continue;
      if (tag === 'invariant') this.forbidden.push({ jobId, line });
      if (!line.startsWith(WARNED)) continue;
      const text = line.slice(WARNED.length);
      this.warnings.push({ at, jobId, text, loop: this.#loops.get(jobId) ?? 0 });
    }
    for (const { id, chart, index, snapshot } of actors) {
      if (chart === 'quota') this.#pool(id, index.label);
      if (chart !== 'job') continue;
      const { parked } = (JSON.parse(snapshot) as { context: JobContext }).context;
      const text = JSON.stringify(parked);
      if (text === this.#parked.get(id)) continue;
      this.#parked.set(id, text);
      if (parked === null) continue;
      const { kind, reason, exceeded = null, circle = null } = parked;
      this.stops.push({ at, jobId: id, kind, reason, exceeded, circle });
    }
  }

  #pool(id: string, state: string): void {
    if (this.#poolStates.get(id) === state) return;
    this.#poolStates.set(id, state);
    this.pools.set(state, (this.pools.get(state) ?? 0) + 1);
  }
}
