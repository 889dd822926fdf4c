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

/** One call of a tracker plugin. */
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

/** One question to the login of an executor. */
export interface LoginCall {
  method: LoginPart;
  args: readonly unknown[];
}

/** The question to a decider. */
export interface DecideCall {
  method: 'decide';
  args: readonly [question: DecisionQuestion];
}

/** A call of a plugin whose process is kept. */
export type KeptCall = ScmCall | DecideCall;

/** What a plugin's process is to do; one thing, then it ends. */
export type Task =
  /** Load it and check whether it matches its manifest. */
  | { op: 'check' }
  | { op: 'healthcheck' }
  | { op: 'models' }
  | { op: 'login'; call: LoginCall }
  | { op: 'tracker'; call: TrackerCall }
  /** Make calls of an scm plugin or a decider as they come, until it is ended. */
  | { op: 'serve' }
  /**
   * Run the cases of the conformance kit in a folder made for them. `problem`: why the settings do
   * not fit; null = they do.
   */
  | { op: 'test'; dir: string; problem: string | null }
  | { op: 'run'; request: Omit<SessionRequest, 'onEvent' | 'screen' | 'guard'> };

/**
 * First message to the process. Settings come this way and not by environment or arguments, which
 * others can read.
 */
export interface Order {
  task: Task;
  /** Absolute path of the entry; null = a built-in of this id. */
  entry: string | null;
  manifest: PluginManifest;
  config: PluginContext['config'];
  allowHosts: readonly string[];
}

/** Later messages to it. */
export type Nudge =
  | { nudge: 'end'; graceMs: number }
  | { nudge: 'send'; messages: SessionMessage[] }
  | { nudge: 'close' }
  /** Answered by the report `answered` with the same number. */
  | { nudge: 'interrupt'; n: number; ackMs: number }
  | { nudge: 'heal'; n: number }
  /** Answered by `called` or `refused` with the same number. */
  | { nudge: 'call'; n: number; call: KeptCall }
  /** The event of this number is kept. */
  | { nudge: 'kept'; n: number };

/** Messages of it; whatever has another form is dropped. */
export type Report =
  | { report: 'event'; n: number; event: SessionEvent }
  | { report: 'answered'; n: number; yes: boolean }
  | { report: 'called'; n: number; value: unknown }
  | { report: 'refused'; n: number; code: string; message: string; retryAt: number | null }
  | { report: 'begin'; name: string; promise: string }
  | { report: 'case'; case: unknown }
  | { report: 'done'; value: unknown }
  | { report: 'failed'; code: string; message: string };
