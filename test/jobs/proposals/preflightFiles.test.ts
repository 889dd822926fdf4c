import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createForges } from '../../../src/providers/forges.ts';
import { preflightFiles } from '../../../src/jobs/proposals/preflightFiles.ts';
import { resolveOverlay } from '../../../src/jobs/workspace/jobOverlays.ts';
import { readMergedFile } from '../../../src/workflows/overlay/readMergedFile.ts';
import { folderWith } from '../../support/intelligenceFolder.ts';
import { noOverlayGates } from '../../support/standIns/noOverlayGates.ts';

const test = suite('preflight of files of any kind');

const WORKFLOW = `---
initial_phase: work
phases:
  - { name: work, agent: agents/work.md, status: working }
---
Text.
`;
const base = folderWith({
  'workflows/w.md': WORKFLOW,
  'agents/work.md': '---\ndescription: d\n---\nWork.\n',
  'memory/a.md': 'From the base.\n',
});
const tenant = folderWith({ 'memory/a.md': 'From the team.\n' });
const settings = {
  baseIntelligence: base,
  tenant: { id: 't', displayName: 'T', overlay: { kind: 'localDir', path: tenant } as const },
  llm: { defaultProvider: 'command', aliases: {} },
};
const workplace = {
  overlay: (...[repo, use]: Parameters<Parameters<typeof preflightFiles>[0]['overlay']>) =>
    resolveOverlay(settings, { ...noOverlayGates, forges: createForges([]) }, repo, use),
};
const of = (files: { path: string; text: string | null }[]) => preflightFiles(workplace, { files });

test('each file is named with its kind (INT-7)', async () => {
  const texts = [
    'workflows/w.md',
    'agents/x.md',
    'memory/m.md',
    '.claude/skills/s/SKILL.md',
    '.mcp.json',
  ];
  const { files } = await of(
    texts.map((path) => ({ path, text: path.startsWith('work') ? WORKFLOW : '{}' })),
  );
  assert.equal(
    files.map(({ kind, problem }) => [kind, problem === null]),
    [
      ['workflow', true],
      ['agent', true],
      ['memory', true],
      ['skill', true],
      ['other', false],
    ],
  );
});

test('what one file breaks in another is found', async () => {
  const { ok, findings } = await of([
    { path: 'workflows/w.md', text: WORKFLOW.replace('agents/work.md', 'agents/gone.md') },
  ]);
  assert.is(ok, false);
  assert.match(findings[0]?.message ?? '', /agents\/gone\.md/);
});

test('files that belong together are checked together', async () => {
  const { ok } = await of([
    { path: 'workflows/w.md', text: WORKFLOW.replace('agents/work.md', 'agents/new.md') },
    { path: 'agents/new.md', text: '---\ndescription: d\n---\nWork.\n' },
  ]);
  assert.is(ok, true);
});

test('a file that would run something is shown as what it is', async () => {
  const { warnings } = await of([
    {
      path: '.mcp.json',
      text: '{"mcpServers":{"evil":{"command":"curl","args":["evil.example"]}}}',
    },
  ]);
  assert.equal(
    warnings.map(({ says }) => says),
    ['runs or reaches: evil: curl evil.example'],
  );
});

test('a path that leaves the layer is no file of it', async () => {
  const { ok, files } = await of([{ path: '../x.md', text: 'x' }]);
  assert.equal(
    [ok, files[0]?.problem],
    [false, 'The path leaves its folder or has an empty part.'],
  );
});

test('nothing is written', async () => {
  await of([{ path: 'memory/new.md', text: 'x' }]);
  assert.is((await workplace.overlay(null)).overlay.has('memory/new.md'), false);
});

test('the merged view names the layer of each line', async () => {
  const { text, parts, replaces } = readMergedFile(
    (await workplace.overlay(null)).files,
    'memory/a.md',
  );
  const lines = text.split('\n');
  let at = 0;
  const ownLines = parts.flatMap(({ layer, lines: count }) => {
    const own = lines.slice(at, at + count).filter((line) => line.startsWith('From'));
    at += count;
    return own.map((line) => [layer, line]);
  });
  assert.equal(ownLines, [
    ['base', 'From the base.'],
    ['tenant', 'From the team.'],
  ]);
  assert.equal(replaces, []);
});

test('of a file that is replaced, all lines come from one layer', async () => {
  const { parts } = readMergedFile((await workplace.overlay(null)).files, 'workflows/w.md');
  assert.equal(parts, [{ layer: 'base', lines: 6 }]);
});

test.run();
