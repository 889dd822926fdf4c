import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveReadiness } from '../../src/intake/buildSettledRows.ts';

const test = suite('how ready a conversation is');
const block = (state: string) => JSON.stringify({ state, openQuestions: ['Which?'], note: 'n' });
const before = { state: 'investigating' as const, openQuestions: ['Old?'], note: 'old' };
const after = (body: string | null, onlyOutside = false) =>
  deriveReadiness({ body, before, onlyOutside });

test('the block says it', () => {
  assert.is(after(block('ready'))?.state, 'ready');
});

test('a turn without a block changes nothing', () => {
  assert.equal(after(null), before);
});

for (const body of ['', 'ready', '{"state":"ready"', '{"state":"go","openQuestions":[],"note":""}'])
  test(`a block that cannot be read never makes it ready: ${body}`, () => {
    assert.is(after(body)?.state, 'investigating');
  });

test('a block that cannot be read keeps the open questions', () => {
  assert.equal(after('{')?.openQuestions, ['Old?']);
});

test('a block that cannot be read is noted', () => {
  assert.match(after('{')?.note ?? '', 'could not be read');
});

test('a turn that has only read what outsiders wrote does not make it ready', () => {
  assert.is(after(block('ready'), true)?.state, 'investigating');
});

test('such a turn may say that no run is needed', () => {
  assert.is(after(block('no-run-needed'), true)?.state, 'no-run-needed');
});

test.run();
