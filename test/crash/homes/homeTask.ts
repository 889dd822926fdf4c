import type { ThreadProgram } from '../../../src/kernel/sqlite/thread/writerThread.ts';

/** What a process of a home is started with. */
export interface HomeTask {
  dir: string;
  /** Of the control plane. */
  url: string;
  token: string;
  homeId: string;
  /** Where parcels are ordered: the world. */
  carrier: string;
  /** File to which claims and acknowledgements are written. */
  history: string;
  checker: ThreadProgram;
  /** Dies when it passes this point for the nth time; left out = never. */
  dieAt?: { point: string; count: number };
}
