import type { AgentUse } from '../executors/process/agentState.ts';
import { raceDeadline } from '../base/time/waiting.ts';
import type { Clock } from '../base/time/clock.ts';
import type { VendorLogin } from '../contract/runner/vendorLogin.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { screenSecretForms } from '../base/secrets/secretForms.ts';
import type {
  FoundAuth,
  PluginHealth,
  PluginManifest,
  PluginModel,
  PluginView,
} from '../contract/schema/runner/plugin.ts';
import type { PluginSettings } from '../contract/schema/runner/settings.ts';
import { BUILT_IN_MANIFESTS } from './builtInCatalogue.ts';
import type { BuiltInExecutor } from './builtInExecutors.ts';
import type { Configurable } from './builtInServices.ts';
import { detectAuth, collectFoundSecrets } from './detectAuth.ts';
import { listSecretNames, collectPluginSecrets } from './pluginConfig.ts';
import { parseHealth, parsePluginModels } from './process/pluginAnswers.ts';

interface BuiltInServiceOptions {
  version: string;
  executors: readonly BuiltInExecutor[];
  /** Built-in plugins that exist only where they are configured; default none. */
  services?(): readonly Configurable[];
  settings: Readonly<Record<string, PluginSettings>>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** Longest answer to a question, ms. */
  answerMs: number;
  /** What the model aliases ask of an executor; default nothing. */
  uses?(executorId: string): readonly AgentUse[];
  /** Removes the secrets that the runner knows from a text; default: unchanged. */
  screen(text: string): string;
}

/** Answers questions about the plugins that are part of svc. They run in this process. */
export class BuiltInService {
  readonly #options: BuiltInServiceOptions;
  readonly #health = new Map<string, PluginHealth>();

  constructor(options: BuiltInServiceOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return BUILT_IN_MANIFESTS.some((manifest) => manifest.id === id);
  }

  views(): PluginView[] {
    return BUILT_IN_MANIFESTS.map((manifest) => ({
      id: manifest.id,
      kind: manifest.kind,
      title: manifest.title,
      version: this.#options.version,
      origin: 'built-in',
      health: this.#readHealth(manifest.id),
      capabilities: manifest.capabilities ?? null,
      offers: manifest.offers ?? [],
      settings: manifest.settings ?? {},
      webhook: manifest.webhook ?? null,
    }));
  }

  async healthcheck(id: string): Promise<PluginHealth> {
    const executor = this.#executor(id);
    const one = executor ?? this.#service(id);
    if (one?.problem !== null || !one.healthcheck) return this.#readHealth(id);
    const uses = this.#options.uses?.(id) ?? [];
    let health: Pick<PluginHealth, 'state' | 'detail'>;
    try {
      const check = executor?.healthcheck
        ? executor.healthcheck(uses.length > 0 ? uses : undefined)
        : one.healthcheck();
      const answer = parseHealth(await this.#limitTime(check));
      if (answer === null)
        throw new SvcError('invalid', 'healthcheck() did not return { ok, detail }.');
      health = { state: answer.ok ? 'healthy' : 'unhealthy', detail: answer.detail };
    } catch (error) {
      health = { state: 'unhealthy', detail: toErrorMessage(error) };
    }
    const checkedAt = new Date(this.#options.clock.now()).toISOString();
    this.#health.set(id, { ...health, detail: this.screen(id, health.detail), checkedAt });
    return this.#readHealth(id);
  }

  async models(id: string): Promise<PluginModel[]> {
    const executor = this.#executor(id);
    if (executor && executor.problem !== null)
      throw new SvcError('not-possible-now', `${id} cannot be used. ${executor.problem}`);
    if (!executor?.models)
      throw new SvcError('not-possible-now', `${id} is built into svc and does not list models.`);
    const models = parsePluginModels(await this.#limitTime(executor.models()));
    if (models === null)
      throw new SvcError('invalid', `${id}: models() did not return a list of { id, title }.`);
    return models.map(({ id: model, title }) => ({
      id: this.screen(id, model),
      title: this.screen(id, title),
    }));
  }

  /** Throws SvcError `not-possible-now` for a plugin without login. */
  login(id: string): VendorLogin {
    const executor = this.#executor(id);
    if (executor && executor.problem !== null)
      throw new SvcError('not-possible-now', `${id} cannot be used. ${executor.problem}`);
    if (!executor?.login)
      throw new SvcError(
        'not-possible-now',
        `${id} is built into svc and has no login.${this.#keyAdvice(id)}`,
      );
    return executor.login;
  }

  #keyAdvice(id: string): string {
    const keys = this.secretSettings(id);
    return keys.length === 0
      ? ''
      : ` Set a key of it (plugins.installed.${id}.config: ${keys.join(', ')}).`;
  }

  secretSettings(id: string): string[] {
    return listSecretNames(this.#manifest(id));
  }

  detectAuth(id: string): FoundAuth[] {
    return detectAuth(this.#manifest(id), this.#options.hostEnv);
  }

  foundSecrets(id: string, settings?: readonly string[]): Record<string, string> {
    return collectFoundSecrets(this.#manifest(id), this.#options.hostEnv, settings);
  }

  #executor(id: string): BuiltInExecutor | undefined {
    return this.#options.executors.find((executor) => executor.id === id);
  }

  #service(id: string): Configurable | undefined {
    return this.#options.services?.().find((service) => service.id === id);
  }

  #manifest(id: string): PluginManifest {
    const builtInManifest = BUILT_IN_MANIFESTS.find((manifest) => manifest.id === id);
    if (!builtInManifest) throw new SvcError('not-found', `No plugin ${id} is built into svc.`);
    return builtInManifest;
  }

  #readHealth(id: string): PluginHealth {
    if (this.#options.settings[id]?.enabled === false)
      return {
        state: 'disabled',
        detail: `plugins.installed.${id}.enabled is false.`,
        checkedAt: null,
      };
    const service = this.#service(id);
    if (service?.configured === false)
      return {
        state: 'disabled',
        detail: `plugins.installed.${id} is not configured.`,
        checkedAt: null,
      };
    const one = this.#executor(id) ?? service;
    const problem = one?.problem ?? null;
    if (problem !== null) return { state: 'unhealthy', detail: problem, checkedAt: null };
    // A plugin that needs an endpoint or a program is not reported as healthy before its check.
    const state = one?.healthcheck ? 'unchecked' : 'healthy';
    return this.#health.get(id) ?? { state, detail: '', checkedAt: null };
  }

  screen(id: string, text: string): string {
    const screenedDetail = screenSecretForms(
      collectPluginSecrets(this.#manifest(id), this.#options.settings[id]?.config ?? {}),
    )(text);
    return this.#options.screen(screenedDetail);
  }

  #limitTime<T>(answer: Promise<T>): Promise<T> {
    const { clock, answerMs } = this.#options;
    return raceDeadline(clock, answerMs, answer, () => {
      throw new SvcError('unreachable', `It did not answer within ${answerMs / 1000} s.`);
    });
  }
}
