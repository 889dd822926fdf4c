import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Plugins } from '../../../src/contract/runner/plugins.ts';
import type { PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { RunningLogins } from '../../../src/plugins/login/runningLogins.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';

export const PLUGIN: PluginView = {
  id: 'hello',
  kind: 'executor',
  title: 'Says hello',
  version: '1.0.0',
  origin: 'installed',
  health: { state: 'healthy', detail: '', checkedAt: '2026-01-01T00:00:00.000Z' },
  capabilities: {
    steering: false,
    foldMidTurn: false,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: true,
  },
  offers: ['models'],
  settings: {
    apiKey: { type: 'string', description: 'Key of the service.', secret: true, env: 'HELLO_KEY' },
  },
  webhook: null,
};

/** A host with one plugin: remembers what it was asked, answers with fixed values. */
export class FakePlugins implements Plugins {
  readonly calls: unknown[][] = [];
  /** Of its one plugin, which has none; a test gives others. */
  logins: Plugins['logins'] = new RunningLogins({
    clock: systemClock,
    ids: randomIds,
    login: (id) => {
      throw new SvcError('not-possible-now', `${id} has no login.`);
    },
    secretSettings: () => [],
    screen: (_, text) => text,
  });

  #known<T>(call: string, id: string, answer: T): T {
    this.calls.push([call, id]);
    if (id !== PLUGIN.id) throw new SvcError('not-found', `No plugin ${id} is installed.`);
    return answer;
  }

  list = () => [PLUGIN];
  async install(body: Parameters<Plugins['install']>[0]) {
    this.calls.push(['install', body]);
    return PLUGIN;
  }
  uninstall = async (id: string) => this.#known('uninstall', id, undefined);
  models = async (id: string) =>
    this.#known('models', id, [{ id: 'small', title: 'The small one' }]);
  healthcheck = async (id: string) => this.#known('healthcheck', id, PLUGIN.health);
  test = async (id: string) =>
    this.#known('test', id, {
      id,
      passed: false,
      cases: [
        {
          name: 'manifest-is-true',
          promise: 'It can be created.',
          outcome: 'passed' as const,
          detail: '',
        },
        {
          name: 'session-ends-with-result',
          promise: 'It ends.',
          outcome: 'failed' as const,
          detail: 'it did not',
        },
      ],
    });
  foundSecrets = (id: string, settings?: readonly string[]) => {
    this.calls.push(['foundSecrets', id, settings]);
    return { apiKey: 'canary-key' };
  };
  detectAuth = (id: string) =>
    this.#known('detectAuth', id, [{ setting: 'apiKey', env: 'HELLO_KEY' }]);
}
