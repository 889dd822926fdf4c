import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { lintPaths, lintSources } from '../../../src/workflows/overlay/lintPaths.ts';
import type { LintContext } from '../../../src/workflows/overlay/readDraft.ts';
import { STDIN_NAME } from '../../../src/workflows/overlay/stdinName.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';

const test = suite('lintPaths');

const flow = (agent: string, status = 'coding') =>
  `---\ninitial_phase: do\nphases:\n  - { name: do, agent: ${agent}, status: ${status} }\n---\n`;
const base = folderWith({ 'agents/coder.md': 'Code.' });
const context: LintContext = { baseIntelligence: base };
const short = async (paths: string[], more: Partial<LintContext> = {}) =>
  (await lintPaths(paths, { ...context, ...more })).map(
    (one) => `${one.file}:${one.line}:${one.column} ${one.code}`,
  );

test('a folder: its workflows and agents, with the agents of the base layer available', async () => {
  const dir = folderWith({
    'workflows/good.md': flow('agents/coder.md'),
    'workflows/README.md': 'Not a workflow.',
    'workflows/bad.md': flow('agents/cdoer.md', 'Coding'),
    'agents/own.md': '---\ncommand: x\n---\n',
  });
  assert.equal(await short([dir]), [
    `${join(dir, 'workflows/bad.md')}:4:24 missing-agent`,
    `${join(dir, 'workflows/bad.md')}:4:49 bad-status`,
    `${join(dir, 'agents/own.md')}:2:10 wrong-type`,
  ]);
});

test('in a repository with other content only what is used is read', async () => {
  const dir = folderWith({
    '.git/HEAD': 'ref: refs/heads/main',
    'workflows/w.md': flow('agents/coder.md'),
    'src/big.bin': 'x'.repeat(1024 * 1024 + 1),
  });
  symlinkSync('/etc', join(dir, 'elsewhere'));
  assert.equal(await short([dir]), []);
});

test('a file: a workflow finds the agents beside it, an agent is recognized by its folder', async () => {
  const dir = folderWith({
    'workflows/w.md': flow('agents/own.md'),
    'agents/own.md': '---\ntool: [a]\n---\nx',
  });
  assert.equal(await short([join(dir, 'workflows/w.md')]), []);
  assert.equal(await short([join(dir, 'agents/own.md')]), [
    `${join(dir, 'agents/own.md')}:2:1 unknown-key`,
  ]);
});

test('standard input is a workflow', async () => {
  assert.equal(await short(['-'], { stdin: flow('agents/coder.md', 'Bad') }), [
    `${STDIN_NAME}:4:49 bad-status`,
  ]);
  assert.equal(await short(['-'], { stdin: '' }), [`${STDIN_NAME}:1:1 empty-front-matter`]);
});

test('standard input finds the agents around the folder it is read in, workflows/ included', async () => {
  const dir = folderWith({ 'workflows/w.md': flow('agents/own.md'), 'agents/own.md': 'x' });
  const stdin = flow('agents/own.md');
  for (const folder of [dir, join(dir, 'workflows'), join(dir, 'agents')])
    assert.equal(await short(['-'], { stdin, folder }), [], folder);
  assert.equal(await short(['-'], { stdin, folder: base.slice(0, base.lastIndexOf('/')) }), [
    `${STDIN_NAME}:4:24 missing-agent`,
  ]);
});

test('a large file is a finding of its own, whatever its size, and hides no other file', async () => {
  for (const bytes of [324 * 1024, 2 * 1024 * 1024]) {
    const dir = folderWith({
      'workflows/big.md': `${flow('agents/coder.md')}${'x'.repeat(bytes)}`,
      'workflows/bad.md': flow('agents/coder.md', 'Bad'),
      'agents/big.md': 'x'.repeat(bytes),
    });
    const findings = [
      `${join(dir, 'workflows/bad.md')}:4:49 bad-status`,
      `${join(dir, 'workflows/big.md')}:1:1 file-too-large`,
      `${join(dir, 'agents/big.md')}:1:1 file-too-large`,
    ];
    assert.equal(await short([dir]), findings);
    assert.equal(await short([join(dir, 'workflows/big.md')]), [findings[1]]);
    assert.equal(await short([join(dir, 'agents/big.md')]), [findings[2]]);
  }
});

test('files beside workflows and agents that are not read have a note with the reason', async () => {
  const dir = folderWith({
    'workflows/w.md': flow('agents/coder.md'),
    'workflows/x.yaml': 'initial_phase: do',
    'workflows/y.MD': flow('agents/coder.md'),
    'workflows/.z.md': flow('agents/coder.md'),
    'workflows/deeper/v.md': flow('agents/coder.md'),
    'workflows/README.md': 'About the workflows.',
    'agents/a.txt': 'x',
    'agents/program.mjs': 'x',
  });
  const { diagnostics, sources } = await lintSources([dir], context);
  assert.equal(
    diagnostics
      .map((one) => [one.file.slice(dir.length + 1), one.severity, one.code, one.message])
      .sort(),
    [
      ['agents/a.txt', 'an agent is a file with the ending .md'],
      ['workflows/.z.md', 'it is hidden'],
      ['workflows/deeper/v.md', 'only files directly in workflows/ are workflows'],
      ['workflows/x.yaml', 'a workflow is a file with the ending .md'],
      ['workflows/y.MD', 'a workflow is a file with the ending .md'],
    ].map(([file = '', why = ''], index) => {
      const diagnostic = diagnostics.find((one) => one.file === join(dir, file));
      assert.ok(diagnostic?.message.includes(why), `${index} ${diagnostic?.message}`);
      return [file, 'note', 'skipped-file', diagnostic?.message];
    }),
  );
  assert.equal([...sources.keys()], [join(dir, 'workflows/w.md')], 'one file was read');
});

test('the rules of a repository apply where requested', async () => {
  const dir = folderWith({ 'agents/a.md': '---\ncommand: [x]\n---\n' });
  assert.equal(await short([dir]), []);
  assert.equal(await short([dir], { layer: 'repo' }), [
    `${join(dir, 'agents/a.md')}:2:1 command-not-trusted`,
  ]);
});

test('two workflows with one id are ambiguous', async () => {
  const dir = folderWith({
    'workflows/a.md': flow('agents/coder.md'),
    'workflows/b.md': flow('agents/coder.md').replace('---\n', '---\nid: a\n'),
  });
  assert.equal(await short([dir]), [`${join(dir, 'workflows/b.md')}:2:5 duplicate-id`]);
});

test('two workflows with one label look the same in every list', async () => {
  const label = (text: string) => text.replace('---\n', '---\nlabel: Fix\n');
  const dir = folderWith({
    'workflows/a.md': label(flow('agents/coder.md')),
    'workflows/b.md': label(flow('agents/coder.md')),
  });
  assert.equal(await short([dir]), [`${join(dir, 'workflows/b.md')}:2:8 duplicate-label`]);
});

test('the checkout file of a repository is linted in .svc, and nowhere else', async () => {
  const file = '---\nsetup: npm ci\ncopyFiles: [.env]\n---\n';
  const dir = folderWith({ '.svc/checkout.md': file });
  assert.equal(await short([join(dir, '.svc')]), [
    `${join(dir, '.svc/checkout.md')}:3:1 unknown-key`,
  ]);
  const team = folderWith({ 'checkout.md': file, 'agents/a.md': 'Work.' });
  assert.equal(await short([team]), []);
});

test('a missing path and a folder without intelligence are distinguished from a clean one', async () => {
  for (const path of [join(base, 'nowhere'), folderWith({ 'notes.txt': 'x' })]) {
    try {
      await lintPaths([path], context);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, SvcError);
      assert.is(error instanceof SvcError && error.code, 'not-found');
    }
  }
});

test('a file that is not here but in the base layer, as jobs name it, is reported with its path', async () => {
  const why = async (path: string) =>
    lintPaths([path], context).catch((error: unknown) => (error as SvcError).message);
  const there = `no such file here. The base layer has one: ${join(base, 'agents/coder.md')}`;
  assert.equal(await why('agents/coder.md'), `agents/coder.md cannot be read: ${there}.`);
  assert.equal(await why('agents/missing.md'), 'agents/missing.md cannot be read: no such file.');
});

test.run();
