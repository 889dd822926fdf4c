import type { Clock } from '../base/time/clock.ts';
import type { PluginHealth } from '../contract/schema/runner/plugin.ts';

interface KnownHealthOptions {
  clock: Clock;
  onUnhealthy(id: string, detail: string): void;
}

export class KnownHealth {
  readonly #id: string;
  readonly #options: KnownHealthOptions;
  #now: PluginHealth = { state: 'unchecked', detail: '', checkedAt: null };

  constructor(id: string, options: KnownHealthOptions) {
    this.#id = id;
    this.#options = options;
  }

  get now(): PluginHealth {
    return this.#now;
  }

  /** It can be loaded; only its own check can say whether it works. */
  resetToUnchecked(): void {
    const detail = `It loads. Check whether it works: svc plugin healthcheck ${this.#id}`;
    this.#now = { state: 'unchecked', detail, checkedAt: null };
  }

  healthy(detail: string): void {
    this.#now = { state: 'healthy', detail, checkedAt: this.#time() };
  }

  unhealthy(detail: string): void {
    this.#now = { state: 'unhealthy', detail, checkedAt: this.#time() };
    this.#options.onUnhealthy(this.#id, detail);
  }

  #time(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}
