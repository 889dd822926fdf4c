import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';
import { parseLoginQuery, parsePastedLogin } from '../../ui/plugins/loginAnswer.ts';
import {
  pickPluginErrors,
  readPluginEntry,
  buildPluginForm,
} from '../../ui/plugins/buildPluginForm.ts';
import { describeCapabilities } from '../../ui/plugins/pluginText.ts';

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
  const own = buildPluginForm(PLUGIN).members.find(({ pointer }) => pointer === '/config');
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
    buildPluginForm({ ...PLUGIN, settings: {} }).members.map(({ pointer }) => pointer),
    ['/enabled', '/allowHosts'],
  );
});

test('what is configured of a plugin is found, and nothing of a prototype', () => {
  const config = { plugins: { installed: { fake: { enabled: false } } } };
  assert.equal(readPluginEntry(config, 'fake'), { enabled: false });
  assert.equal(readPluginEntry(config, 'constructor'), {});
  assert.equal(readPluginEntry({}, 'fake'), {});
});

test('faults of a change are those of the form, without those of other places', () => {
  const errors = [
    { pointer: '/plugins/installed/fake/config/turns', message: 'too many' },
    { pointer: '/plugins/installed/fake2/config/turns', message: 'of another' },
    { pointer: '/server/port', message: 'elsewhere' },
  ];
  assert.equal(pickPluginErrors(errors, 'fake'), [
    { pointer: '/config/turns', message: 'too many' },
  ]);
});

test('what a vendor sends back is a code or a refusal, always with a state (HTTP-7)', () => {
  assert.equal(parseLoginQuery({ code: 'c', state: 's' }), { code: 'c', state: 's' });
  assert.equal(parseLoginQuery({ error: 'access_denied', error_description: 'No', state: 's' }), {
    error: 'access_denied',
    errorDescription: 'No',
    state: 's',
  });
  assert.is(parseLoginQuery({ code: 'c' }), null);
  assert.is(parseLoginQuery({ state: 's' }), null);
});

test('a person pastes the code or the whole address (HTTP-7)', () => {
  assert.equal(parsePastedLogin(' abc#def '), { code: 'abc#def', state: null });
  assert.equal(parsePastedLogin('http://127.0.0.1:1/dashboard/plugins?code=c&state=s'), {
    code: 'c',
    state: 's',
  });
  assert.is(parsePastedLogin(''), null);
  assert.is(parsePastedLogin('two words'), null);
  assert.is(parsePastedLogin('https://vendor.example/'), null);
});

test('capabilities are said in words', () => {
  assert.equal(describeCapabilities(PLUGIN), [
    'takes messages while it works',
    'holds plan-mode chats',
  ]);
});

test.run();
