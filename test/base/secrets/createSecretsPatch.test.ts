import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSecretsPatch } from '../../../src/base/secrets/createSecretsPatch.ts';

const test = suite('the secrets of a plugin that is removed');

const createConfig = (config: object) => ({ plugins: { installed: { own: { config } } } });

test('they go, and other settings stay (CFG-2)', () => {
  assert.equal(
    createSecretsPatch(createConfig({ token: '********', size: 3 }), 'own', ['token', 'hook']),
    {
      patch: { plugins: { installed: { own: { config: { token: null } } } } },
      removed: ['token'],
    },
  );
});

test('an entry that has nothing else goes whole', () => {
  assert.equal(createSecretsPatch(createConfig({ token: '********' }), 'own', ['token']), {
    patch: { plugins: { installed: { own: null } } },
    removed: ['token'],
  });
});

for (const [says, config] of [
  ['none of them has a value', createConfig({ size: 3 })],
  ['the plugin has no settings', { plugins: { installed: {} } }],
  ['the configuration has none', {}],
  ['nothing could be read', undefined],
] as const)
  test(`nothing is changed where ${says}`, () => {
    assert.is(createSecretsPatch(config, 'own', ['token']), null);
  });

test.run();
