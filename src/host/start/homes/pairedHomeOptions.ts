import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import type { Start } from '../startOptions.ts';

/** How a home's log is, for people. */
export interface HomeLogStatus {
  /** local: it has no log. seeding: its first copy is uploaded. logged: the control plane has what is acknowledged. */
  state: 'local' | 'seeding' | 'logged';
  /** Changes that the control plane does not have yet, and their bytes. */
  unsent: { entries: number; bytes: number };
}

export type PairedHomeStart = Pick<Start, 'settings' | 'clock' | 'ids' | 'log' | 'packageRoot'>;

export interface PairedHomeOptions {
  /** The newest token of the runner. */
  token(): string;
  checker: ThreadProgram;
  /** For tests; default: those of this release. */
  migrations?: readonly string[];
}
