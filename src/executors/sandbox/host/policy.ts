import type { Reach } from '../computeReach.ts';

/** Orders for the program around a session, as JSON in a file of its folder. */
export interface HostPolicy extends Reach {
  entry: string;
  /** Folder of this sandbox: sockets, this file, refusals. */
  dir: string;
  refused: string;
  toolUrl: string;
  wayFile: string;
  cwd: string;
}
