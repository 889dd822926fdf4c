import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import WorkflowLintCommand from '../../cli/commands/workflow/lint.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite<{ dir: string; line: CommandLine }>('svc workflow lint');

test.before.each(async (context) => {
  context.dir = await mkdtemp(join(tmpdir(), 'svc-lint-'));
  await mkdir(join(context.dir, 'workflows'));
});
test.after.each(({ dir }) => rm(dir, { recursive: true, force: true }));

const GOOD = `---
description: One phase with a checkpoint.
initial_phase: waiting
initial_status: queued
phases:
  - name: waiting
    agent: null
    status: waiting
    interactive_checkpoint: true
---
Text.
`;
const BAD = GOOD.replace('initial_phase: waiting', 'initial_phase: wating').replace(
  '    agent:',
  '    agnet:',
);

test('needs no runner; errors are exit code 1, with file, line, column and hint (CLI-6)', async ({
  dir,
}) => {
  const file = join(dir, 'workflows/bad.md');
  await writeFile(file, BAD);
  const line = new CommandLine({ SVC_HOME: dir });
  const json = await line.run(WorkflowLintCommand, [file, '--json']);
  const diagnostics: Diagnostic[] = JSON.parse(json.out);
  assert.equal(json.code, 1);
  assert.equal(json.err, '');
  assert.ok(diagnostics.length >= 2);
  for (const one of diagnostics) {
    assert.equal(Object.keys(one).sort(), [
      'code',
      'column',
      'file',
      'hint',
      'line',
      'message',
      'severity',
    ]);
    assert.is(one.file, file);
  }
  assert.ok(
    diagnostics.some((one) => one.line === 3 && one.severity === 'error'),
    'the unknown initial phase',
  );
  assert.ok(
    diagnostics.some((one) => one.line === 7 && one.severity === 'error'),
    'the unknown key',
  );

  const text = await line.run(WorkflowLintCommand, [file]);
  assert.is(text.code, 1);
  for (const one of diagnostics)
    assert.match(
      text.out,
      `${file}:${one.line}:${one.column} ${one.severity} ${one.message} [${one.code}]\n`,
    );
  assert.match(text.err, /^\d+ errors, \d+ warnings in 1 file\.\n$/);
});

test('aliases and executors are those of the home; a configuration with mistakes is not the fault of the workflow (CFG-3)', async ({
  dir,
}) => {
  const file = join(dir, 'workflows/own.md');
  await writeFile(
    file,
    GOOD.replace('agent: null', 'agent: agents/coder.md').replace(
      '    status: waiting',
      '    status: waiting\n    model: fast\n    provider: comand',
    ),
  );
  const line = new CommandLine({ SVC_HOME: dir });
  const codes = async () => {
    const { out, err } = await line.run(WorkflowLintCommand, [file, '--json']);
    return [
      (JSON.parse(out) as Diagnostic[]).map((one) => `${one.line}:${one.column} ${one.code}`),
      err,
    ];
  };
  assert.equal(await codes(), [['9:12 unknown-alias', '10:15 unknown-provider'], '']);
  await writeFile(
    join(dir, 'config.json'),
    '{ "llm": { "aliases": { "fast": { "model": "small" } } } }',
  );
  assert.equal(await codes(), [['10:15 unknown-provider'], '']);
  await writeFile(join(dir, 'config.json'), '{ "lm": {} }');
  const [diagnostics, message] = await codes();
  assert.equal(diagnostics, []);
  assert.match(
    String(message),
    'Model aliases and executors are not checked: The configuration file',
  );
});

test('a configuration that keeps lint from checking is named with its mistakes', async ({
  dir,
}) => {
  const file = join(dir, 'workflows/good.md');
  await writeFile(file, GOOD);
  await writeFile(join(dir, 'config.json'), '{ "llm": { "defaultProvidr": "command" } }');
  const { err } = await new CommandLine({ SVC_HOME: dir }).run(WorkflowLintCommand, [file]);
  assert.match(err, /^ {2}\S+\/config\.json:1:12 {2}.*"defaultProvidr"/m);
});

test('a configuration that is no JSON is named with the place where it ends', async ({ dir }) => {
  const file = join(dir, 'workflows/good.md');
  await writeFile(file, GOOD);
  await writeFile(join(dir, 'config.json'), '{ "llm": ');
  const { err } = await new CommandLine({ SVC_HOME: dir }).run(WorkflowLintCommand, [file]);
  assert.match(err, /^ {2}\S+\/config\.json:1:10 {2}/m);
});

test('a good workflow is exit code 0, from a file, a folder and standard input', async ({
  dir,
}) => {
  const file = join(dir, 'workflows/good.md');
  await writeFile(file, GOOD);
  const line = new CommandLine({ SVC_HOME: dir }, GOOD);
  for (const path of [file, dir, '-'])
    assert.equal(
      await line.run(WorkflowLintCommand, [path]),
      { code: 0, out: '', err: 'No findings in 1 file.\n' },
      path,
    );
  assert.equal(await line.run(WorkflowLintCommand, [file, '--json']), {
    code: 0,
    out: '[]\n',
    err: '',
  });
});

test('programs, tool servers and people are those of the home and of the repository', async ({
  dir,
}) => {
  await mkdir(join(dir, '.git'));
  await mkdir(join(dir, 'agents'));
  await writeFile(join(dir, 'agents/a.md'), '---\ncommand: [no-such-program-xyz]\n---\n');
  await writeFile(
    join(dir, 'agents/b.md'),
    "---\ncommand: [node, '{layer}/programs/b.mjs', '{checkout}']\n---\n",
  );
  const phase = (name: string, more: string) =>
    `  - { name: ${name}, agent: agents/${name}.md, status: coding, ${more} }\n`;
  await writeFile(
    join(dir, 'workflows/w.md'),
    `---\ninitial_phase: a\nphases:\n${phase('a', 'tools: [mcp__nope__x, mcp__docs__find, mcp__tickets, "mcp__*"]')}${phase('b', 'interactive_checkpoint: true, model: coding')}---\n`,
  );
  await writeFile(join(dir, '.mcp.json'), '{"mcpServers":{"docs":{"url":"https://docs.example"}}}');
  const config = {
    coachMode: { enabled: false },
    mcpServers: { tickets: { type: 'stdio', command: 'x' } },
  };
  await writeFile(join(dir, 'config.json'), JSON.stringify(config));
  const line = new CommandLine({ SVC_HOME: dir, PATH: process.env.PATH ?? '' });
  const { out, err, code } = await line.run(WorkflowLintCommand, [dir, '--json']);
  const diagnostics: Diagnostic[] = JSON.parse(out);
  assert.equal(err, '');
  assert.equal(code, 0);
  assert.equal(
    diagnostics.map((one) => `${one.file.slice(dir.length + 1)}:${one.line} ${one.code}`),
    [
      'workflows/w.md:4 unknown-server',
      'workflows/w.md:5 checkpoint-without-person',
      'workflows/w.md:5 model-without-effect',
      'agents/a.md:2 missing-program',
      'agents/b.md:2 missing-program',
    ],
  );
});

test('a finding is shown with its line; data for programs is not (CLI-6)', async ({ dir }) => {
  const file = join(dir, 'workflows/bad.md');
  await writeFile(file, BAD);
  const line = new CommandLine({ SVC_HOME: dir });
  assert.match(
    (await line.run(WorkflowLintCommand, [file])).out,
    '\n  7 |     agnet: null\n    |     ^\n',
  );
  for (const argv of [
    ['--json'],
    ['--sarif'],
    ['--format', 'github'],
    ['--format', 'json'],
    ['--format', 'sarif'],
  ]) {
    const { out, code } = await line.run(WorkflowLintCommand, [file, ...argv]);
    assert.equal(out.includes(' | '), false, argv.join(' '));
    assert.equal(code, 1, argv.join(' '));
  }
});

test('a path that is not there: 3', async ({ dir }) => {
  assert.is(
    (await new CommandLine({ SVC_HOME: dir }).run(WorkflowLintCommand, [join(dir, 'no.md')])).code,
    3,
  );
});

const PROMISES = GOOD.replace(
  '---\nText.',
  'invariants:\n  - { id: never-ends, never: complete }\n---\nText.',
);

test('says what was proved of each invariant, with the way to where it is broken', async ({
  dir,
}) => {
  const file = join(dir, 'workflows/promises.md');
  await writeFile(file, PROMISES);
  const line = new CommandLine({ SVC_HOME: dir });
  const text = await line.run(WorkflowLintCommand, [file]);
  assert.match(text.err, /invariant never-ends, never complete: prevents completion\n {2}1\. /);
  const json = await line.run(WorkflowLintCommand, [file, '--json', '--proofs']);
  const { diagnostics, proofs } = JSON.parse(json.out);
  assert.equal(
    diagnostics.map(({ code }: Diagnostic) => code),
    ['invariant-blocks-end'],
  );
  assert.equal([proofs[0].file, proofs[0].result], [file, 'prevents-completion']);
});

test.run();
