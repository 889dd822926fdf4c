import type { MayAct } from '../base/concurrency/mayAct.ts';
import type { Clock } from '../base/time/clock.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import type { PluginProgram } from './process/pluginProcess.ts';

export interface InstalledPluginOptions {
  pluginsDir: string;
  program: PluginProgram;
  /** `plugins.installed`, read at each use. */
  settings: Readonly<Record<string, PluginSettings>>;
  mirrorsDir: string;
  /** Called with each password that a forge gives for git. */
  onSecret?(secret: string): void;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Longest answer, ms; default 10 s. */
  answerMs?: number;
  /** Asked right before each call that writes. */
  mayAct: MayAct;
  /** Removes the secrets that the runner knows from a text; default: unchanged. */
  screen(text: string): string;
  onUnhealthy(id: string, detail: string): void;
  /**
   * Called once for each member with parts that do not match the contract, such as
   * `pullRequest().comments`. `why`: a clause.
   */
  onLeftOut?(id: string, member: string, why: string): void;
}
