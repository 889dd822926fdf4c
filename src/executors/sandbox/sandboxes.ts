import type { SessionSandbox } from '../../contract/session/sandbox.ts';
import type { SandboxState } from '../../shared/agents/sandboxProfiles.ts';
import type { SvcError } from '../../shared/errors/errors.ts';
import type { SandboxSettings } from '../../contract/schema/runner/settings.ts';
import type { ProbedSandbox } from './probe.ts';
import type { SessionPlaces } from './computeReach.ts';

/** A session that is about to begin. */
export interface SandboxNeed {
  settings: SandboxSettings;
  /** Works unattended: where the sandbox is off, it is used as `auto` says. */
  unattended: boolean;
  /** Executor that runs it. */
  executor: string;
  places: Omit<SessionPlaces, 'personHome' | 'programs'>;
  /** The layer that its agent comes from; null = none of its own. */
  layer: string | null;
  /** Hosts beside those of the configuration. */
  hosts: readonly string[];
  toolUrl: string;
  /** Folder of the session. */
  sessionDir: string;
}

export interface OpenedSandbox {
  state: SandboxState;
  /** Whether a sandbox is wanted at all. */
  wanted: boolean;
  /** Why no sandbox although a sandbox is wanted, as a clause; null = something does. */
  reason: string | null;
  sandbox: SessionSandbox | undefined;
  /** Ends it and removes the rest; resolves with what it refused, a line each. Never rejects. */
  close(): Promise<string[]>;
}

/** Makes the sandboxes of sessions, and removes what is left of them. */
export interface Sandboxes {
  /**
   * The sandbox of a session. Throws SvcError `cannot-run` where one is required and cannot be had.
   */
  open(need: SandboxNeed): Promise<OpenedSandbox>;
  /**
   * Why a job with these executors must not begin here, as an error; null = no reason. Always null
   * where no sandbox is required.
   */
  refusal(settings: SandboxSettings, executors: readonly string[]): Promise<SvcError | null>;
  /** What this machine offers: a profile, or why none. */
  probed(settings: SandboxSettings): Promise<ProbedSandbox>;
  /**
   * Removes what sandboxes of an earlier runner of this home have left; their processes have ended.
   */
  sweep(): void;
}
