import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLI_REPLIES } from '../../scripts/reference/cliReplies.ts';
import { shapeText } from '../../scripts/reference/shapeText.ts';
import { checkReply } from '../support/cli/checkReply.ts';

const test = suite('documented JSON of commands');

test('every command documents what it prints with --json; the tests of commands check it (CLI-6)', () => {
  const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8'));
  // Those of oclif's own plugins print texts for people alone.
  const ours = Object.keys(commands).filter((id) => !/^(help|autocomplete)(:|$)/.test(id));
  assert.equal(ours.sort(), Object.keys(CLI_REPLIES).sort());
  checkReply('TrustRemoveCommand', '{"repo":"shop"}');
  assert.throws(() => checkReply('TrustRemoveCommand', '{"slug":"shop"}'), /trust:remove --json/);
  assert.throws(() => checkReply('ExitCodesCommand', '{}'), /exit-codes --json/);
});

test('a shape is shown by the names of its members, two levels deep', () => {
  const text = { type: 'string' };
  const inner = { type: 'object', properties: { c: { type: 'object', properties: { d: text } } } };
  const schema = {
    type: 'object',
    required: ['a', 'list'],
    properties: { a: text, b: inner, list: { type: 'array', items: text } },
  };
  assert.is(shapeText(schema), '{ a, b?: { c?: {…} }, list: [string] }');
  assert.is(shapeText({ anyOf: [schema, { type: 'null' }] }, 0), '{…} | null');
});

test.run();
