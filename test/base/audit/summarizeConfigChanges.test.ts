import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type ConfigChange,
  summarizeConfigChanges,
  summarizeConfigPatch,
} from '../../../src/base/audit/summarizeConfigChanges.ts';

const test = suite('audit: what changed in the configuration');

test('numbers and switches are named with their value, texts and lists by their key alone', () => {
  const patch = {
    server: { port: 4100, host: '127.0.0.1' },
    runner: { autoRestart: false },
    schedules: [{ name: 'nightly' }],
    triggers: null,
  };
  assert.is(
    summarizeConfigPatch(patch),
    'runner.autoRestart=false schedules server.host server.port=4100 triggers=null',
  );
});

test('no value of a secret is named, also where it is a number', () => {
  const patch = {
    decision: { apiKey: 123456 },
    notifications: { channels: { phone: { topic: 123456 } } },
    plugins: { installed: { jira: { config: { pin: 123456 } } } },
  };
  assert.not.match(summarizeConfigPatch(patch), '123456');
});

test('many keys are counted by section, and the line has at most 160 characters', () => {
  const manyIn = (section: string): ConfigChange[] =>
    Array.from({ length: 40 }, (_, n) => [`${section}.alias-${n}.model`, undefined] as const);
  assert.is(
    summarizeConfigChanges([...manyIn('llm.aliases'), ['server.port', 4100]]),
    'llm.aliases (40) server.port=4100',
  );
  const sections = Array.from({ length: 40 }, (_, n) => [`section-${n}.key-${n}`, n] as const);
  const line = summarizeConfigChanges(sections);
  assert.ok(line.length <= 160, line);
  const [, rest = ''] = / and (\d+) more$/.exec(line) ?? [];
  assert.is(line.split(' and ')[0]?.split(' ').length, 40 - Number(rest));
});

test.run();
