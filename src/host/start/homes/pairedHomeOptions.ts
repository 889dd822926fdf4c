import type { ThreadProgram } from '../../../kernel/sqlite/thread/writerThread.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import type { Start } from '../startOptions.ts';

/** How a home's log is, for people. */
export interface HomeLogStatus {
  /** local: it has no log. seeding: its first copy is uploaded. logged: the control plane has what is acknowledged. */
  state: 'local' | 'seeding' | 'logged';
  /** Changes that the control plane does not have yet, and their bytes. */
  unsent: { entries: number; bytes: number };
}

export interface PairedHomeStart extends Pick<Start, 'clock' | 'ids'> {
  settings: Pick<Settings, 'home' | 'version'> & {
    cloud: Pick<Settings['cloud'], 'url'>;
    paths: Pick<Settings['paths'], 'stateDb' | 'blobs' | 'workingDir'>;
  };
  log: Record<'info' | 'warn' | 'error', (facts: object, text: string) => void>;
}

export interface PairedHomeOptions {
  /** The newest token of the runner. */
  readToken(): string;
  checker: ThreadProgram;
  /** For tests; default: those of this release. */
  migrations?: readonly string[];
}
