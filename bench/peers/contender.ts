import type { Lab } from '../lab.ts';

/** What one round of waking gives. */
export interface Woken {
  /** From the event until the continuation began, ms; one event at a time. */
  singles: number[];
  /** From the first of the events sent together until the last continuation began, ms. */
  burst: number;
}

/** What one round with many parked gives. */
export interface Parked {
  /** What the process that parked them has grown by, KiB for each of them. */
  worker: number;
  /** What the processes of its server have grown by together, KiB for each; null = it has none. */
  server: number | null;
  /** From the first command of the restart until the continuation of an event began, ms. */
  recovery: number;
}

/**
 * One who takes part in the comparison. Each call begins with nothing (new folders, new processes)
 * and leaves nothing behind; it throws where the work was not done whole.
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
  parked(lab: Lab): Promise<Parked>;
}
