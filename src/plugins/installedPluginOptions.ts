import type { Clock } from '../shared/time/clock.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import type { PluginProgram } from './process/pluginProcess.ts';

/** What every installed plugin works with. */
export interface InstalledPluginOptions {
  pluginsDir: string;
  program: PluginProgram;
  /** `plugins.installed`, read at each use. */
  settings: Readonly<Record<string, PluginSettings>>;
  /** Absolute folder of the mirrors of forges. */
  mirrorsDir: string;
  /** Called with each password that a forge gives for git. */
  onSecret?(secret: string): void;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Longest answer, ms; default 10 s. */
  answerMs?: number;
  /** Takes the secrets that the runner knows out of a text; default: as it is. */
  screen(text: string): string;
  onUnhealthy(id: string, detail: string): void;
  /**
   * Called once for each member of a plugin's answers of which something was left out since its form is
   * not that of the contract: `pullRequest().comments`. `why`: a clause.
   */
  onLeftOut?(id: string, member: string, why: string): void;
}
