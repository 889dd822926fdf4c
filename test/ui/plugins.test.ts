import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PluginView } from '../../src/schema/plugin.ts';
import { answerOf, pasted } from '../../ui/plugins/loginAnswer.ts';
import { errorsOfPlugin, pluginEntry, pluginForm } from '../../ui/plugins/pluginForm.ts';
import { capabilityWords } from '../../ui/plugins/pluginText.ts';

const test = suite('ui: plugins');

const PLUGIN: PluginView = {
  id: 'fake',
  kind: 'executor',
  title: 'Fake',
  version: '1.0.0',
  origin: 'installed',
  health: { state: 'healthy', detail: '', checkedAt: null },
  capabilities: {
    steering: true,
    foldMidTurn: false,
    cancelsToolCalls: false,
    resume: false,
    skills: false,
    systemPrompt: false,
    chat: 'own-loop',
  },
  offers: [],
  settings: {
    apiKey: { type: 'string', description: 'Key.', secret: true, required: true },
    mode: { type: 'string', description: 'Mode.', enum: ['a', 'b'] },
    turns: { type: 'integer', description: 'Turns.', default: 4 },
  },
  webhook: null,
};

test('a manifest draws the form of its plugin (HTTP-6)', () => {
  const own = pluginForm(PLUGIN).members.find(({ pointer }) => pointer === '/config');
  assert.equal(
    own?.members.map(({ pointer, kind, required }) => [pointer, kind, required]),
    [
      ['/config/apiKey', 'secret', true],
      ['/config/mode', 'choice', false],
      ['/config/turns', 'number', false],
    ],
  );
});

test('a plugin without settings has none of its own in the form (HTTP-6)', () => {
  assert.equal(
    pluginForm({ ...PLUGIN, settings: {} }).members.map(({ pointer }) => pointer),
    ['/enabled', '/allowHosts'],
  );
});

test('what is configured of a plugin is found, and nothing of a prototype', () => {
  const config = { plugins: { installed: { fake: { enabled: false } } } };
  assert.equal(pluginEntry(config, 'fake'), { enabled: false });
  assert.equal(pluginEntry(config, 'constructor'), {});
  assert.equal(pluginEntry({}, 'fake'), {});
});

test('faults of a change are those of the form, without those of other places', () => {
  const errors = [
    { pointer: '/plugins/installed/fake/config/turns', message: 'too many' },
    { pointer: '/plugins/installed/fake2/config/turns', message: 'of another' },
    { pointer: '/server/port', message: 'elsewhere' },
  ];
  assert.equal(errorsOfPlugin(errors, 'fake'), [{ pointer: '/config/turns', message: 'too many' }]);
});

test('what a vendor sends back is a code or a refusal, always with a state (HTTP-7)', () => {
  assert.equal(answerOf({ code: 'c', state: 's' }), { code: 'c', state: 's' });
  assert.equal(answerOf({ error: 'access_denied', error_description: 'No', state: 's' }), {
    error: 'access_denied',
    errorDescription: 'No',
    state: 's',
  });
  assert.is(answerOf({ code: 'c' }), null);
  assert.is(answerOf({ state: 's' }), null);
});

test('a person pastes the code or the whole address (HTTP-7)', () => {
  assert.equal(pasted(' abc#def '), { code: 'abc#def', state: null });
  assert.equal(pasted('http://127.0.0.1:1/dashboard/plugins?code=c&state=s'), {
    code: 'c',
    state: 's',
  });
  assert.is(pasted(''), null);
  assert.is(pasted('two words'), null);
  assert.is(pasted('https://vendor.example/'), null);
});

test('capabilities are said in words', () => {
  assert.equal(capabilityWords(PLUGIN), ['takes messages while it works', 'holds plan-mode chats']);
});

test.run();
