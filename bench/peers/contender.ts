import type { Lab } from '../lab.ts';

export interface Woken {
  /** From the event until the continuation began, ms; one event at a time. */
  singles: number[];
  /** From the first of the events sent together until the last continuation began, ms. */
  burst: number;
}

export interface ParkingMemory {
  /** Growth of the process that parked them, KiB per parked one. */
  worker: number;
  /**
   * Growth of all processes of its server together, KiB per parked one; null = it has no server.
   */
  server: number | null;
  /** From the first command of the restart until the continuation of an event began, ms. */
  recovery: number;
}

/**
 * A contender of the comparison. Each call starts with new folders and processes and leaves nothing
 * behind; it throws if the work is incomplete.
 */
export interface Contender {
  readonly name: string;
  /**
   * Durable steps a second over workflows of six steps each, 100 of them under way at once, that
   * count their steps and carry nothing else.
   */
  steps(lab: Lab): Promise<number>;
  /** The same with 4 KB of state in each workflow, written with every step; left out = not measured. */
  statedSteps?(lab: Lab): Promise<number>;
  wakes(lab: Lab): Promise<Woken>;
  parked(lab: Lab): Promise<ParkingMemory>;
}
