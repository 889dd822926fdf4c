import type { SessionEvent, SessionMessage, SessionRequest } from '../../contract/executor.ts';
import type { PluginManifest } from '../../schema/plugin.ts';
import type { TrackerMethods } from '../../contract/tracker.ts';
import type { PluginContext } from '../../contract/plugin.ts';

/** One call of a tracker plugin. */
export type TrackerCall = {
  [Method in keyof TrackerMethods]: { method: Method; args: Parameters<TrackerMethods[Method]> };
}[keyof TrackerMethods];

/** What a plugin's process is to do; one thing, then it ends. */
export type Task =
  /** Load it and check whether it matches its manifest. */
  | { op: 'check' }
  | { op: 'healthcheck' }
  | { op: 'models' }
  | { op: 'tracker'; call: TrackerCall }
  /** Run the cases of the conformance kit in a folder made for them. */
  | { op: 'test'; dir: string }
  | { op: 'run'; request: Omit<SessionRequest, 'onEvent'> };

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
  /** The event of this number is kept. */
  | { nudge: 'kept'; n: number };

/** Messages of it; whatever has another form is dropped. */
export type Report =
  | { report: 'event'; n: number; event: SessionEvent }
  | { report: 'answered'; n: number; yes: boolean }
  | { report: 'begin'; name: string; promise: string }
  | { report: 'case'; case: unknown }
  | { report: 'done'; value: unknown }
  | { report: 'failed'; code: string; message: string };
