import type {
  SessionEvent,
  SessionMessage,
  SessionRequest,
} from '../../contract/session/executor.ts';
import type { DecisionQuestion } from '../../contract/policy/decider.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { ScmForge } from '../../contract/forge/scmForge.ts';
import type { TrackerMethods, TrackerOffers } from '../../contract/forge/tracker.ts';
import type { PluginContext } from '../../contract/runner/plugin.ts';
import type { LoginPart } from '../../contract/runner/vendorLogin.ts';

export type TrackerCall = {
  [Method in keyof TrackerParts]: { method: Method; args: Parameters<TrackerParts[Method]> };
}[keyof TrackerParts];
type TrackerParts = TrackerMethods & Required<TrackerOffers>;

export type ScmMethod = keyof ScmForge;
type ScmCalled<Method extends ScmMethod> = NonNullable<ScmForge[Method]>;
export type ScmArgs<Method extends ScmMethod> = Parameters<ScmCalled<Method>>;
type ScmReplies = { [Method in ScmMethod]: Awaited<ReturnType<ScmCalled<Method>>> };
export type ScmReply<Method extends ScmMethod> = ScmReplies[Method];
/** One call of an scm plugin; the arguments are those of the method. */
export interface ScmCall {
  method: ScmMethod;
  args: readonly unknown[];
}

export interface LoginCall {
  method: LoginPart;
  args: readonly unknown[];
}

export interface DecideCall {
  method: 'decide';
  args: readonly [question: DecisionQuestion];
}

export type KeptCall = ScmCall | DecideCall;

export type Task =
  | { op: 'check' }
  | { op: 'healthcheck' }
  | { op: 'models' }
  | { op: 'login'; call: LoginCall }
  | { op: 'tracker'; call: TrackerCall }
  /** Make calls of an scm plugin or a decider as they come, until the process is ended. */
  | { op: 'serve' }
  /**
   * Run the conformance kit in its own folder. `problem`: why the settings do not fit; null = they
   * do.
   */
  | { op: 'test'; dir: string; problem: string | null }
  | { op: 'run'; request: Omit<SessionRequest, 'onEvent' | 'screen' | 'guard'> };

/**
 * First message to the process. Settings are sent this way because others can read environment and
 * arguments.
 */
export interface Order {
  task: Task;
  /** Absolute path of the entry; null = the built-in plugin of this id. */
  entry: string | null;
  manifest: PluginManifest;
  config: PluginContext['config'];
  allowHosts: readonly string[];
}

export type Nudge =
  | { nudge: 'end'; graceMs: number }
  | { nudge: 'send'; messages: SessionMessage[] }
  | { nudge: 'close' }
  /** Answered by the report `answered` with the same number. */
  | { nudge: 'interrupt'; n: number; ackMs: number }
  | { nudge: 'heal'; n: number }
  /** Answered by `called` or `refused` with the same number. */
  | { nudge: 'call'; n: number; call: KeptCall }
  /** The event of this number is stored. */
  | { nudge: 'kept'; n: number };

/** Messages of the process; others are dropped. */
export type Report =
  | { report: 'event'; n: number; event: SessionEvent }
  | { report: 'answered'; n: number; yes: boolean }
  | { report: 'called'; n: number; value: unknown }
  | { report: 'refused'; n: number; code: string; message: string; retryAt: number | null }
  | { report: 'begin'; name: string; promise: string }
  | { report: 'case'; case: unknown }
  | { report: 'done'; value: unknown }
  | { report: 'failed'; code: string; message: string };
