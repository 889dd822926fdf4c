import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explainUnknownCommand } from '../../cli/explainUnknownCommand.ts';

/** The commands of svc, by their files. */
const folder = join(import.meta.dirname, '../../cli/commands');
const KNOWN = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/(\/index)?\.ts$/, '').replaceAll('/', ' '))
  .sort();

const proposeCommand = (words: string): string | undefined =>
  explainUnknownCommand(words.split(' '), KNOWN).detail.match(/Did you mean: (.*)\?/)?.[1];

for (const [words, command] of [
  ['log', 'svc logs'],
  ['lint', 'svc schedule lint, or svc workflow lint'],
  ['merge', 'svc pr merge'],
  ['skip', 'svc campaign skip'],
  ['install', 'svc plugin install, or svc plugins install, or svc service install'],
  ['list', 'svc jobs'],
  ['ps', 'svc jobs'],
  ['approve', 'svc resume'],
  ['down', 'svc stop'],
  ['update', 'svc upgrade'],
  ['simulat', 'svc workflow simulate'],
  ['runner restart', 'svc restart'],
  ['runner stpo', 'svc runner stop'],
  ['campaing lst', 'svc campaign list'],
  ['config list', 'svc config get'],
  ['qqqqqqq', undefined],
] as const)
  test(`svc ${words} proposes ${command ?? 'nothing'}`, () => {
    assert.is(proposeCommand(words), command);
  });

test('every command that a word of another program leads to exists', () => {
  const words = ['attach', 'create', 'history', 'kill', 'ls', 'new', 'quit', 'retry', 'serve'];
  const more = ['setup', 'submit', 'tail', 'ui', 'up'];
  assert.equal(
    [...words, ...more].filter((word) => proposeCommand(word) === undefined),
    [],
  );
});

test.run();
