import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Executor } from '../contract/session/executor.ts';
import { type ErrorCode, toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { screenSecretForms } from '../base/secrets/secretForms.ts';
import type {
  FoundAuth,
  PluginHealth,
  PluginManifest,
  PluginModel,
  PluginView,
} from '../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import type { ConfiguredForge } from './builtInForges.ts';
import { detectAuth, collectFoundSecrets } from './detectAuth.ts';
import { addGivenSettings, pickOwnConfig } from './givenSettings.ts';
import type { DecidesQuestions } from '../contract/policy/decider.ts';
import { type OpenInstalledDecider, openInstalledDecider } from './installedDecider.ts';
import { createInstalledExecutor } from './installedExecutor.ts';
import {
  type OpenInstalledForge,
  openInstalledForge,
} from './installedForge/openInstalledForge.ts';
import {
  type OpenInstalledTracker,
  openInstalledTracker,
} from './installedTracker/openInstalledTracker.ts';
import { TRACKER_ERRORS } from './installedTracker/tracker.ts';
import { KnownHealth } from './knownHealth.ts';
import type { VendorLogin } from '../contract/runner/vendorLogin.ts';
import { createInstalledLogin, LOGIN_ERRORS } from './login/installedLogin.ts';
import { toInstalledView } from './toInstalledView.ts';
import { type PluginPackage, readPackage } from './manifest.ts';
import { checkPluginConfig, listSecretNames, collectPluginSecrets } from './pluginConfig.ts';
import { parseHealth, parsePluginModels } from './process/pluginAnswers.ts';
import { askPlugin, buildPlainEnv } from './process/askPlugin.ts';
import type { InstalledPluginOptions } from './installedPluginOptions.ts';
import { PluginProcess } from './process/pluginProcess.ts';
import type { Order, Report, Task } from './process/protocol.ts';

/** Longest answer to a question, loading included, ms. */
export const ANSWER_MS = 10_000;

/** An installed plugin. Whatever it does wrong becomes its health. */
export class InstalledPlugin {
  readonly id: string;
  readonly #options: InstalledPluginOptions;
  readonly #dir: string;
  #package: PluginPackage | null = null;
  #isRead = false;
  readonly #health: KnownHealth;
  #forge: OpenInstalledForge | null = null;
  #tracker: OpenInstalledTracker | null = null;
  #decider: OpenInstalledDecider | null = null;
  #used: PluginSettings;

  constructor(id: string, options: InstalledPluginOptions) {
    this.id = id;
    this.#used = structuredClone(options.settings[id] ?? {});
    this.#options = options;
    this.#health = new KnownHealth(id, options);
    this.#dir = join(options.pluginsDir, id);
  }

  /** Reads the manifest without running the plugin. */
  async read(): Promise<void> {
    try {
      const pluginPackage = await readPackage(this.#dir);
      const { id } = pluginPackage.manifest;
      const wrong = `The folder is named ${this.id}, but the manifest has the id ${id}.`;
      if (id !== this.id) throw new SvcError('invalid', wrong);
      this.#package = pluginPackage;
    } catch (error) {
      this.#package = null;
      this.#health.unhealthy(toErrorMessage(error));
    }
    this.#isRead = true;
  }

  /** Whether it is being installed, or its settings have changed and it does not use them yet. */
  get isChanging(): boolean {
    return !this.#isRead || !isDeepStrictEqual(this.#settings(), this.#used);
  }

  view(): PluginView {
    const detail = `plugins.installed.${this.id}.enabled is false.`;
    const off: PluginHealth = { state: 'disabled', detail, checkedAt: null };
    return toInstalledView(this.id, this.#package, this.#isEnabled() ? this.#health.now : off);
  }

  /** Loads it in its own process and checks whether it matches its manifest. Never rejects. */
  async check(): Promise<PluginHealth> {
    if (this.#package === null || !this.#isEnabled()) return this.view().health;
    try {
      await this.#ask({ op: 'check' });
      const isOffered = this.#package.manifest.offers?.includes('healthcheck');
      if (isOffered) this.#health.resetToUnchecked();
      else this.#health.healthy('');
    } catch (error) {
      this.#health.unhealthy(toErrorMessage(error));
    }
    return this.#health.now;
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
      if (answer.ok) this.#health.healthy(detail);
      else this.#health.unhealthy(detail);
    } catch (error) {
      this.#health.unhealthy(toErrorMessage(error));
    }
    return this.#health.now;
  }

  async models(): Promise<PluginModel[]> {
    const { manifest } = this.#requirePackage();
    if (!manifest.offers?.includes('models'))
      throw new SvcError('not-possible-now', `${this.id} does not list models.`);
    const models = parsePluginModels(await this.#ask({ op: 'models' }));
    if (models === null)
      throw new SvcError('invalid', `${this.id}: models() did not return a list of { id, title }.`);
    return models.map(({ id, title }) => ({ id: this.screen(id), title: this.screen(title) }));
  }

  /** Throws SvcError `not-possible-now` for a plugin that offers none. */
  login(): VendorLogin {
    const { manifest } = this.#requirePackage();
    if (!manifest.offers?.includes('login'))
      throw new SvcError('not-possible-now', `${this.id} has no login.`);
    return createInstalledLogin((call) => this.#ask({ op: 'login', call }, LOGIN_ERRORS));
  }

  /** null = it cannot be read. */
  get manifest(): PluginManifest | null {
    return this.#package?.manifest ?? null;
  }

  secretSettings(): string[] {
    return listSecretNames(this.#requirePackage().manifest);
  }

  detectAuth(): FoundAuth[] {
    return detectAuth(this.#requirePackage().manifest, this.#options.hostEnv);
  }

  foundSecrets(settings?: readonly string[]): Record<string, string> {
    return collectFoundSecrets(this.#requirePackage().manifest, this.#options.hostEnv, settings);
  }

  /** Data for its process. Throws SvcError for settings that do not fit. */
  order(): Omit<Order, 'task'> {
    const { manifest, entry } = this.#requirePackage();
    const { config = {}, allowHosts = [] } = this.#settings();
    return { entry, manifest, config: this.#config(manifest, config), allowHosts };
  }

  /** Like `order`; `problem` says why its settings do not fit, null = they do. */
  testOrder(): { order: Omit<Order, 'task'>; problem: string | null } {
    try {
      return { order: this.order(), problem: null };
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'config-invalid') throw error;
      const { manifest, entry } = this.#requirePackage();
      const { allowHosts = [] } = this.#settings();
      return { order: { entry, manifest, config: {}, allowHosts }, problem: error.message };
    }
  }

  executor(): Executor {
    return createInstalledExecutor({
      id: this.id,
      clock: this.#options.clock,
      program: this.#options.program,
      found: this.#package,
      whole: () => this.#requirePackage(),
      order: () => this.order(),
      screen: (text) => this.screen(text),
      onEnd: (fault) => (fault === null ? this.#health.healthy('') : this.#health.unhealthy(fault)),
    });
  }

  /** null = it is of another kind, or switched off. */
  tracker(): OpenInstalledTracker | null {
    const manifest = this.#package?.manifest;
    if (manifest?.kind !== 'tracker' || !this.#isEnabled()) return null;
    this.#tracker ??= openInstalledTracker({
      manifest,
      settings: this.#settings(),
      ask: (call) => this.#ask({ op: 'tracker', call }, TRACKER_ERRORS),
      mayAct: this.#options.mayAct,
      screen: (text) => this.screen(text),
      onFault: (what) => this.#health.unhealthy(what),
      onLeftOut: (member, why) => this.#options.onLeftOut?.(this.id, member, why),
    });
    return this.#tracker;
  }

  /** null = it is of another kind, or switched off. */
  forge(): ConfiguredForge | null {
    const manifest = this.#package?.manifest;
    if (manifest?.kind !== 'scm' || !this.#isEnabled()) return null;
    const { clock, mirrorsDir, onSecret } = this.#options;
    this.#forge ??= openInstalledForge({
      manifest,
      clock,
      mirrorsDir,
      mayAct: this.#options.mayAct,
      settings: this.#settings(),
      callMs: this.#options.answerMs,
      onSecret: (secret) => onSecret?.(secret),
      screen: (text) => this.screen(text),
      onFault: (what) => this.#health.unhealthy(what),
      onLeftOut: (member, why) => this.#options.onLeftOut?.(this.id, member, why),
      start: this.#serve,
      healthcheck: async () => {
        const { state, detail } = await this.healthcheck();
        return { ok: state === 'healthy', detail };
      },
    });
    return this.#forge.configured;
  }

  /** null = it is of another kind, or switched off. */
  decider(): DecidesQuestions | null {
    if (this.#package?.manifest.kind !== 'decider' || !this.#isEnabled()) return null;
    this.#decider ??= openInstalledDecider({
      clock: this.#options.clock,
      screen: (text) => this.screen(text),
      onFault: (what) => this.#health.unhealthy(what),
      start: this.#serve,
    });
    return this.#decider;
  }

  readonly #serve = async (onReport: (report: Report) => void): Promise<PluginProcess> => {
    const { clock, program, hostEnv } = this.#options;
    const order: Order = { ...this.order(), task: { op: 'serve' } };
    const env = buildPlainEnv(hostEnv);
    return new PluginProcess({ program, order, env, clock, onReport, cwd: this.#dir });
  };

  /** Applies its current settings. Returns whether they have changed. */
  async takeUp(): Promise<boolean> {
    const now = structuredClone(this.#settings());
    if (isDeepStrictEqual(now, this.#used)) return false;
    this.#used = now;
    await this.stop();
    return true;
  }

  async stop(): Promise<void> {
    const openParts = [this.#forge, this.#decider];
    [this.#forge, this.#tracker, this.#decider] = [null, null, null];
    await Promise.all(openParts.map((one) => one?.stop()));
  }

  #settings(): PluginSettings {
    return this.#options.settings[this.id] ?? {};
  }

  /** The settings that the plugin sees, without those that svc gives every forge. */
  #config(manifest: PluginManifest, givenConfig: Readonly<Record<string, unknown>>) {
    return pickOwnConfig(manifest, checkPluginConfig(addGivenSettings(manifest), givenConfig));
  }

  #isEnabled(): boolean {
    return this.#settings().enabled !== false;
  }

  /** The package; throws if the plugin cannot be used. */
  #requirePackage(): PluginPackage {
    if (!this.#isEnabled())
      throw new SvcError(
        'not-possible-now',
        `The plugin ${this.id} is disabled: plugins.installed.${this.id}.enabled.`,
      );
    if (this.#package) return this.#package;
    throw new SvcError(
      'not-possible-now',
      `The plugin ${this.id} cannot be used. ${this.#health.now.detail}`,
    );
  }

  /** `passedCodes`: error codes of the plugin that are passed on as they are; default none. */
  async #ask(task: Task, passedCodes: ReadonlySet<string> = new Set()): Promise<unknown> {
    const { program, clock, hostEnv, answerMs = ANSWER_MS } = this.#options;
    const order: Order = { ...this.order(), task };
    const env = buildPlainEnv(hostEnv);
    const ending = await askPlugin({ program, order, env, clock, answerMs, cwd: this.#dir });
    if ('answer' in ending) return ending.answer;
    const code = passedCodes.has(ending.code) ? (ending.code as ErrorCode) : 'invalid';
    throw new SvcError(code, this.screen(ending.error));
  }

  screen(text: string): string {
    const { manifest } = this;
    const own = manifest
      ? collectPluginSecrets(addGivenSettings(manifest), this.#settings().config ?? {})
      : [];
    const screenedText = screenSecretForms(own)(text);
    return this.#options.screen(screenedText);
  }
}
