import type { JobContext } from '../../../machines/index.ts';
import type { ParkKind } from '../../../src/schema/job.ts';
import type { Exceeded } from '../../../src/schema/exceeded.ts';
import type { Batch } from '../../../src/durable/writer.ts';

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
}

/** A budget that the person has raised: `base` counts until then. */
export interface Raise {
  at: number;
  scope: string;
  key: string;
  metric: string;
  by: number;
}

/** What an onlooker writes down of the weekend. */
export class WeekendRecord {
  readonly starts: Start[] = [];
  readonly stops: Stop[] = [];
  readonly raises: Raise[] = [];
  /** States that the pools were in. */
  readonly pools = new Set<string>();
  /** How often the files of a job were changed. */
  readonly laps = new Map<string, number>();
  /** Jobs whose agents were warned that they repeat themselves. */
  readonly warned = new Set<string>();
  readonly #parked = new Map<string, string>();

  work(jobId: string): void {
    this.laps.set(jobId, (this.laps.get(jobId) ?? 0) + 1);
  }

  /** What is about to be committed. */
  take({ actors, frames }: Batch, at: number): void {
    for (const { actor, data } of frames)
      if (JSON.stringify(data).includes('warned: ')) this.warned.add(actor);
    for (const { id, chart, index, snapshot } of actors) {
      if (chart === 'quota') this.pools.add(index.label);
      if (chart !== 'job') continue;
      const { parked } = (JSON.parse(snapshot) as { context: JobContext }).context;
      const text = JSON.stringify(parked);
      if (text === this.#parked.get(id)) continue;
      this.#parked.set(id, text);
      if (parked === null) continue;
      const { kind, reason, exceeded = null } = parked;
      this.stops.push({ at, jobId: id, kind, reason, exceeded });
    }
  }
}
