import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WorkflowSimulateCommand from '../../cli/commands/workflow/simulate.ts';
import { formatElapsed } from '../../cli/render/workflow/formatSimulation.ts';
import { ACT_NAMES } from '../../src/workflows/simulation/parseAct.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { folderWith } from '../support/intelligenceFolder.ts';

const test = suite('svc workflow simulate');

const TEXT = `---
initial_phase: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
  - { name: reporting, agent: agents/reporter.md, status: reporting }
---
Text.
`;

const home = folderWith({
  'good.yml': '- in: reporting\n  goto: coding\n- expect: { phase: coding }\n',
  'bad.yml': '- in: reporting\n  event: merged\n',
  'broken.yml': '- gotto: coding\n',
});

const run = (...argv: string[]) =>
  new CommandLine({ SVC_HOME: home }, TEXT).run(WorkflowSimulateCommand, ['-', ...argv]);

test('the timeline as a table, how it ended, which phases were reached (CLI-6)', async () => {
  const { err, ...output } = await run();
  assert.match(
    err,
    'Without a script every phase is played once: loops over work items, goto_phase',
  );
  assert.equal(output, {
    code: 0,
    out: `time     event           state              phase      status
0:00:00  start           queued             coding     queued
0:00:00  slot.granted    working.preparing  coding     coding
         [phase] phase coding begins
0:00:05  phase.prepared  working.inSession  coding     coding
0:10:05  session.ended   working.preparing  reporting  reporting
         [phase] phase reporting begins
0:10:10  phase.prepared  working.inSession  reporting  reporting
0:20:10  session.ended   ended.complete     reporting  complete
         [ended] complete

complete after 0:20:10
2 of 2 phases reached
`,
  });
});

test('a script is a test: 0 where it went so, 1 where it did not, with file, line and column', async () => {
  const good = await run('--script', join(home, 'good.yml'), '--json');
  assert.equal(good.code, 0);
  assert.equal(good.err, '');
  assert.equal(JSON.parse(good.out).coverage, [
    { phase: 'coding', visits: 2, reached: true },
    { phase: 'reporting', visits: 2, reached: true },
  ]);
  const bad = await run('--script', join(home, 'bad.yml'));
  assert.is(bad.code, 1);
  assert.is(
    bad.err,
    `${join(home, 'bad.yml')}:2:3 event in reporting was never possible: the job is ended.complete, in reporting.\n`,
  );
});

test('a script that cannot be read plays nothing: 2', async () => {
  const { code, out, err } = await run('--script', join(home, 'broken.yml'));
  assert.equal(code, 2);
  assert.equal(out, '');
  assert.is(
    err,
    `Error: ${join(home, 'broken.yml')} is not a valid script.\n  ${join(home, 'broken.yml')}:1:3  Unknown step gotto. Did you mean goto?\n`,
    'the mistake is printed once',
  );
  assert.is((await run('--script', join(home, 'none.yml'))).code, 3);
});

test('a workflow with errors is simulated as far as it can be read, and is exit code 1', async () => {
  const broken = TEXT.replace('status: coding }', 'status: Coding }');
  const { code, out, err } = await new CommandLine({ SVC_HOME: home }, broken).run(
    WorkflowSimulateCommand,
    ['-'],
  );
  assert.is(code, 1);
  assert.match(out, '2 of 2 phases reached');
  assert.match(err, '[bad-status]');
  assert.match(err, 'The workflow has errors, so no job can run it');
});

test('a script that is not UTF-8 is named with the byte', async () => {
  writeFileSync(join(home, 'latin.yml'), Buffer.from('- message: caf\xe9\n', 'latin1'));
  const { code, err } = await run('--script', join(home, 'latin.yml'));
  assert.is(code, 2);
  assert.match(err, 'latin.yml:1:15  The file is not UTF-8: the byte 0xE9');
});

test('time in hours, minutes and seconds', () => {
  assert.equal([0, 5_000, 3_600_000, 94_210_000].map(formatElapsed), [
    '0:00:00',
    '0:00:05',
    '1:00:00',
    '26:10:10',
  ]);
});

test('every word of a script is described', async () => {
  const doc = readFileSync(
    join(import.meta.dirname, '../../docs/guides/simulate-a-workflow.md'),
    'utf8',
  );
  assert.equal(
    ACT_NAMES.filter((name) => !new RegExp(`^\\| .*\`${name}[:\`]`, 'm').test(doc)),
    [],
  );
});

test.run();
