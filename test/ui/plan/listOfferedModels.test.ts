import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PluginView } from '../../../src/contract/schema/runner/plugin.ts';
import { listOfferedModels } from '../../../ui/plan/listOfferedModels.ts';

const test = suite('models that a chat can choose');

interface Known {
  id: string;
  health: PluginView['health']['state'];
  chat?: 'own-loop' | 'none';
  /** Names of its models; left out = it lists none. */
  models?: readonly string[];
}

const NOTHING = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: false,
};

/** What is offered of such executors: `id/model`, `*` = its default. */
async function listOfferedNames(known: readonly Known[]): Promise<string[]> {
  const plugins = known.map(
    ({ id, health, chat = 'none', models }): PluginView => ({
      id,
      kind: 'executor',
      title: id,
      version: '1.0.0',
      origin: 'built-in',
      health: { state: health, detail: '', checkedAt: null },
      capabilities: { ...NOTHING, chat },
      offers: models === undefined ? [] : ['models'],
      settings: {},
      webhook: null,
    }),
  );
  const providers = await listOfferedModels({
    plugins: async () => plugins,
    pluginModels: async (pluginId) => {
      const models = known.find(({ id }) => id === pluginId)?.models ?? [];
      if (models.length === 0) throw new Error('The endpoint does not answer.');
      return models.map((id) => ({ id, title: id }));
    },
  });
  return providers.flatMap(({ models }) =>
    models.map(({ choice: { provider, model } }) => `${provider}/${model ?? '*'}`),
  );
}

test('an executor that was not checked yet is offered with the models that it names', async () => {
  const known: Known = { id: 'builtin', health: 'unchecked', chat: 'own-loop', models: ['a', 'b'] };
  assert.equal(await listOfferedNames([known]), ['builtin/*', 'builtin/a', 'builtin/b']);
});

test('one that was not checked and names none is not', async () => {
  assert.equal(
    await listOfferedNames([{ id: 'builtin', health: 'unchecked', chat: 'own-loop' }]),
    [],
  );
});

test('one that works is offered without names too', async () => {
  const known: Known = { id: 'claude', health: 'healthy', chat: 'own-loop' };
  assert.equal(await listOfferedNames([known]), ['claude/*']);
});

test('one that cannot hold a chat is not offered', async () => {
  assert.equal(await listOfferedNames([{ id: 'command', health: 'healthy' }]), []);
});

test('one that does not work is not offered', async () => {
  const known: Known = { id: 'builtin', health: 'unhealthy', chat: 'own-loop', models: ['a'] };
  assert.equal(await listOfferedNames([known]), []);
});

test.run();
