import { join } from 'node:path';
import type { Executor, ExecutorCapabilities } from '../contract/executor.ts';
import { endMarked } from '../executors/process/orphans.ts';
import { MARKER_VARIABLE } from '../executors/process/processTable.ts';
import { writeSessionFiles } from '../executors/process/sessionFiles.ts';
import type { Clock } from '../lib/clock.ts';
import { type ErrorCode, messageOf, SvcError } from '../lib/errors.ts';
import { screenSecrets } from '../lib/screenSecrets.ts';
import { screenSecretForms } from '../lib/secretForms.ts';
import { networkForAgents } from '../network/variables.ts';
import type { FoundAuth, PluginHealth, PluginModel, PluginView } from '../schema/plugin.ts';
import type { PluginSettings } from '../schema/settings.ts';
import type { JobTracker } from '../contract/tracker.ts';
import { detectAuth, foundSecrets } from './foundAuth.ts';
import { installedTracker, TRACKER_ERRORS } from './installedTracker.ts';
import { type PluginPackage, readPackage } from './manifest.ts';
import { checkedConfig, secretsOf } from './pluginConfig.ts';
import { parseHealth, parseModels } from './process/answers.ts';
import { PluginProcess, type PluginProgram } from './process/pluginProcess.ts';
import { PluginSession } from './process/pluginSession.ts';
import type { Order, Task, TrackerCall } from './process/protocol.ts';

/** Longest answer to a question (loading it included), ms. */
export const ANSWER_MS = 10_000;
/** Wait between SIGTERM and SIGKILL for what a session left behind, ms. */
const END_GRACE_MS = 2_000;

const NO_CAPABILITIES: ExecutorCapabilities = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: false,
};

export interface InstalledPluginOptions {
  pluginsDir: string;
  program: PluginProgram;
  settings: PluginSettings | undefined;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Longest answer, ms; default {@link ANSWER_MS}. */
  answerMs?: number;
  /** Takes the secrets that the runner knows out of a text; default: as it is. */
  screen?(text: string): string;
  onUnhealthy(id: string, detail: string): void;
}

/** A plugin in its folder. Whatever it does wrong becomes its health. */
export class InstalledPlugin {
  readonly id: string;
  readonly #options: InstalledPluginOptions;
  readonly #dir: string;
  #package: PluginPackage | null = null;
  #health: PluginHealth = { state: 'unchecked', detail: '', checkedAt: null };

  constructor(id: string, options: InstalledPluginOptions) {
    this.id = id;
    this.#options = options;
    this.#dir = join(options.pluginsDir, id);
  }

  /** Reads the manifest; runs nothing. */
  async read(): Promise<void> {
    try {
      const found = await readPackage(this.#dir);
      if (found.manifest.id !== this.id) {
        throw new SvcError(
          'invalid',
          `The folder is named ${this.id}, but the manifest has the id ${found.manifest.id}.`,
        );
      }
      this.#package = found;
    } catch (error) {
      this.#package = null;
      this.#unhealthy(messageOf(error));
    }
  }

  view(): PluginView {
    const { manifest, version } = this.#package ?? {};
    const disabled: PluginHealth = {
      state: 'disabled',
      detail: `plugins.installed.${this.id}.enabled is false.`,
      checkedAt: null,
    };
    return {
      id: this.id,
      kind: manifest?.kind ?? null,
      title: manifest?.title ?? this.id,
      version: version ?? '',
      origin: 'installed',
      health: this.#enabled() ? this.#health : disabled,
      capabilities: manifest?.capabilities ?? null,
      offers: manifest?.offers ?? [],
      settings: manifest?.settings ?? {},
      webhook: manifest?.webhook ?? null,
    };
  }

  /**
   * Loads it in a process of its own and checks whether it matches its manifest. Never rejects.
   */
  async check(): Promise<PluginHealth> {
    if (this.#package === null || !this.#enabled()) return this.view().health;
    try {
      await this.#ask({ op: 'check' });
      this.#healthy('');
    } catch (error) {
      this.#unhealthy(messageOf(error));
    }
    return this.#health;
  }

  async healthcheck(): Promise<PluginHealth> {
    if (!this.#package?.manifest.offers?.includes('healthcheck')) {
      await this.read();
      return this.check();
    }
    try {
      const answer = parseHealth(await this.#ask({ op: 'healthcheck' }));
      if (answer === null)
        throw new SvcError('invalid', 'healthcheck() did not return { ok, detail }.');
      const detail = this.screen(answer.detail);
      if (answer.ok) this.#healthy(detail);
      else this.#unhealthy(detail);
    } catch (error) {
      this.#unhealthy(messageOf(error));
    }
    return this.#health;
  }

  async models(): Promise<PluginModel[]> {
    const { manifest } = this.#whole();
    if (!manifest.offers?.includes('models'))
      throw new SvcError('not-possible-now', `${this.id} does not list models.`);
    const models = parseModels(await this.#ask({ op: 'models' }));
    if (models === null)
      throw new SvcError('invalid', `${this.id}: models() did not return a list of { id, title }.`);
    return models.map(({ id, title }) => ({ id: this.screen(id), title: this.screen(title) }));
  }

  detectAuth(): FoundAuth[] {
    return detectAuth(this.#whole().manifest, this.#options.hostEnv);
  }

  foundSecrets(settings?: readonly string[]): Record<string, string> {
    return foundSecrets(this.#whole().manifest, this.#options.hostEnv, settings);
  }

  /** What its process needs to know. Throws SvcError for settings that do not fit. */
  async order(): Promise<Omit<Order, 'task'>> {
    const { manifest, entry } = this.#whole();
    const { config = {}, allowHosts = [] } = this.#options.settings ?? {};
    return { entry, manifest, config: checkedConfig(manifest, config), allowHosts };
  }

  executor(): Executor {
    const { clock } = this.#options;
    return {
      id: this.id,
      ...(this.#package?.manifest.variants ? { variants: this.#package.manifest.variants } : {}),
      capabilities: this.#package?.manifest.capabilities ?? NO_CAPABILITIES,
      lacks: () => this.#lacks(),
      run: async (request) => {
        if (this.#whole().manifest.kind !== 'executor') {
          throw new SvcError(
            'bad-argument',
            `Phase ${request.phase} asks for ${this.id}, which is not an executor.`,
          );
        }
        const { onEvent: _, ...plain } = request;
        const order: Order = { ...(await this.order()), task: { op: 'run', request: plain } };
        await writeSessionFiles(request);
        const env = {
          ...request.env,
          SVC_SESSION_DIR: request.sessionDir,
          [MARKER_VARIABLE]: request.marker,
        };
        const screenToken = screenSecrets([request.tools.token]);
        return new PluginSession({
          request,
          clock,
          steering: this.#package?.manifest.capabilities?.steering === true,
          screen: (text) => this.screen(screenToken(text)),
          start: (onReport) => {
            const { program } = this.#options;
            return new PluginProcess({ program, order, env, clock, onReport, cwd: request.cwd });
          },
          endLeftOvers: () => endMarked(clock, (marker) => marker === request.marker, END_GRACE_MS),
          onEnd: (fault) => (fault === null ? this.#healthy('') : this.#unhealthy(fault)),
        });
      },
      endOrphans: (markerPrefix) =>
        endMarked(clock, (marker) => marker.startsWith(markerPrefix), END_GRACE_MS),
    };
  }

  /**
   * Whatever is wrong without having run it: its manifest, its settings, whether it is switched
   * off.
   */
  #lacks(): string | null {
    try {
      const { manifest } = this.#whole();
      if (manifest.kind !== 'executor') return `the plugin ${this.id} is not an executor`;
      checkedConfig(manifest, this.#options.settings?.config ?? {});
      return null;
    } catch (error) {
      return messageOf(error).replace(/\.$/, '');
    }
  }

  /** null = it is of another kind, or switched off. */
  tracker(): JobTracker | null {
    if (this.#package?.manifest.kind !== 'tracker' || !this.#enabled()) return null;
    const ask = (call: TrackerCall) => this.#ask({ op: 'tracker', call }, TRACKER_ERRORS);
    return installedTracker({ id: this.id, ask, screen: (text) => this.screen(text) });
  }

  #enabled(): boolean {
    return this.#options.settings?.enabled !== false;
  }

  /** The package, or why nothing can be done with it. */
  #whole(): PluginPackage {
    if (!this.#enabled())
      throw new SvcError(
        'not-possible-now',
        `The plugin ${this.id} is switched off: plugins.installed.${this.id}.enabled.`,
      );
    if (this.#package) return this.#package;
    throw new SvcError(
      'not-possible-now',
      `The plugin ${this.id} cannot be used. ${this.#health.detail}`,
    );
  }

  /** `said`: codes of its errors that mean what they say; default none. */
  async #ask(task: Task, said: ReadonlySet<string> = new Set()): Promise<unknown> {
    const { program, clock, hostEnv, answerMs = ANSWER_MS } = this.#options;
    const order: Order = { ...(await this.order()), task };
    const plugin = new PluginProcess({
      program,
      order,
      env: plainEnv(hostEnv),
      clock,
      cwd: this.#dir,
    });
    const stop = clock.at(
      clock.now() + answerMs,
      () => void plugin.end(`It did not answer within ${answerMs / 1000} s.`, 0),
    );
    const ending = await plugin.ending;
    stop();
    if ('answer' in ending) return ending.answer;
    throw new SvcError(
      said.has(ending.code) ? (ending.code as ErrorCode) : 'invalid',
      this.screen(ending.error),
    );
  }

  /** Takes the secrets of its settings out. */
  screen(text: string): string {
    const manifest = this.#package?.manifest;
    const screened = manifest
      ? screenSecretForms(secretsOf(manifest, this.#options.settings?.config ?? {}))(text)
      : text;
    return this.#options.screen?.(screened) ?? screened;
  }

  #healthy(detail: string): void {
    this.#health = { state: 'healthy', detail, checkedAt: this.#now() };
  }

  #unhealthy(detail: string): void {
    this.#health = { state: 'unhealthy', detail, checkedAt: this.#now() };
    this.#options.onUnhealthy(this.id, detail);
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

/**
 * What a plugin's process sees of the environment when no session is run: enough to find programs,
 * its home and the network. A login of a proxy is not among it.
 */
export const plainEnv = (
  hostEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'LANG', 'TZ'].flatMap((name) =>
      hostEnv[name] ? [[name, hostEnv[name]]] : [],
    ),
  ),
  ...networkForAgents(hostEnv),
});
