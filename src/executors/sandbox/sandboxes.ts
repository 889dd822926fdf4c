import type { SessionSandbox } from '../../contract/session/sandbox.ts';
import type { SandboxState } from '../../base/agents/sandboxProfiles.ts';
import type { SvcError } from '../../base/errors/errors.ts';
import type { SandboxSettings } from '../../contract/schema/runner/settings.ts';
import type { ProbedSandbox } from './probe.ts';
import type { SessionPlaces } from './computeReach.ts';

export interface SandboxNeed {
  settings: SandboxSettings;
  /** The session runs unattended: if the sandbox is off, it is used as with `auto`. */
  unattended: boolean;
  executor: string;
  places: Omit<SessionPlaces, 'personHome' | 'programs'>;
  /** The layer of its agent; null = none of its own. */
  layer: string | null;
  hosts: readonly string[];
  toolUrl: string;
  sessionDir: string;
}

export interface OpenedSandbox {
  state: SandboxState;
  wanted: boolean;
  /** Why there is no sandbox although one is wanted, as a clause; null = there is one. */
  reason: string | null;
  sandbox: SessionSandbox | undefined;
  /**
   * Ends the sandbox and removes its files; resolves with its refusals, a line each. Never rejects.
   */
  close(): Promise<string[]>;
}

export interface Sandboxes {
  /** The sandbox of a session. Throws SvcError `cannot-run` if one is required but unavailable. */
  open(need: SandboxNeed): Promise<OpenedSandbox>;
  /**
   * Why a job with these executors must not begin here; null = no reason. Always null if no sandbox
   * is required.
   */
  refusal(settings: SandboxSettings, executors: readonly string[]): Promise<SvcError | null>;
  probe(settings: SandboxSettings): Promise<ProbedSandbox>;
  /** Removes what sandboxes of an earlier runner of this home left; their processes have ended. */
  sweep(): void;
}
