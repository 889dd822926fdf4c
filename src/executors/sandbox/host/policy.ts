import type { Reach } from '../computeReach.ts';

/** The orders of the program around a session, as JSON in a file of its own folder. */
export interface HostPolicy extends Reach {
  /** Absolute path of the sandbox runtime. */
  entry: string;
  /** Folder of this sandbox: sockets, this file, what was refused. */
  dir: string;
  /** Where lines of what was refused go. */
  refused: string;
  /** Address of the session's tool server, as it is outside. */
  toolUrl: string;
  /** Where the inside finds the way to it. */
  wayFile: string;
  /** Working directory of the program. */
  cwd: string;
}
