import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readLayerTree } from '../../src/git/readLayerTree.ts';
import { folderWith, decodeText } from '../support/intelligenceFolder.ts';

const test = suite('readLayerTree');

const git = (dir: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: dir,
    encoding: 'utf8',
  });

const commit = (dir: string): string => {
  git(dir, 'init', '-qb', 'main');
  git(dir, 'add', '-A', '-f');
  git(dir, 'commit', '-qm', '1');
  return dir;
};
const link = (dir: string, path: string, target: string) => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  symlinkSync(target, join(dir, path));
};

const PART = { prefixes: ['.svc/', '.claude/', '.mcp.json'], linkedOnly: ['.agents/skills/'] };

const read = async (dir: string) => {
  const { files, leftOut } = await readLayerTree(dir, 'main', PART);
  return {
    files: Object.fromEntries([...files].map(([path, bytes]) => [path, decodeText(bytes)])),
    leftOut: Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])),
  };
};

test('a name elsewhere that is odd, and what lies beside the layer, does not matter', async () => {
  const dir = folderWith({ '.svc/agents/a.md': 'A', 'back\\slash': 'x', 'README.md': 'no' });
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9])]), 'x');
  assert.equal(await read(commit(dir)), { files: { '.svc/agents/a.md': 'A' }, leftOut: {} });
});

test('links to files and folders of the layer, and to installed skills, are followed', async () => {
  const dir = folderWith({
    '.agents/skills/s/SKILL.md': 'S',
    '.agents/skills/s/more/x.md': 'X',
    '.svc/memory/a.md': 'A',
  });
  link(dir, '.claude/skills/s', '../../.agents/skills/s');
  link(dir, '.svc/memory/b.md', 'a.md');
  link(dir, '.svc/agents', 'memory');
  assert.equal(await read(commit(dir)), {
    files: {
      '.claude/skills/s/SKILL.md': 'S',
      '.claude/skills/s/more/x.md': 'X',
      '.svc/agents/a.md': 'A',
      '.svc/agents/b.md': 'A',
      '.svc/memory/a.md': 'A',
      '.svc/memory/b.md': 'A',
    },
    leftOut: {},
  });
});

test('what cannot be read is left out with its reason, and its neighbours stay', async () => {
  const dir = folderWith({
    '.svc/agents/a.md': 'A',
    '.svc/memory/big.md': 'x'.repeat(1024 * 1024 + 1),
    'README.md': 'no',
  });
  link(dir, '.svc/agents/gone.md', 'nowhere.md');
  link(dir, '.svc/agents/out.md', '../../README.md');
  link(dir, '.svc/agents/etc', '/etc');
  link(dir, '.svc/agents/circle', '..');
  link(dir, '.svc/agents/one.md', 'two.md');
  link(dir, '.svc/agents/two.md', 'one.md');
  assert.equal(await read(commit(dir)), {
    files: { '.svc/agents/a.md': 'A' },
    leftOut: {
      '.svc/agents/gone.md': 'the link is broken',
      '.svc/agents/out.md': 'the link leads out of the layer',
      '.svc/agents/etc': 'the link leads out of the layer',
      '.svc/agents/circle': 'the link leads in a loop',
      '.svc/agents/one.md': 'the link leads in a loop, or through too many others',
      '.svc/agents/two.md': 'the link leads in a loop, or through too many others',
      '.svc/memory/big.md': 'it has more than 1 MiB (1048576 bytes)',
    },
  });
});

test('installed packages are not even read', async () => {
  const dir = folderWith({ '.claude/a.md': 'A', '.claude/node_modules/x/big.md': 'x' });
  const { files } = await readLayerTree(commit(dir), 'main', {
    ...PART,
    skips: (path) => path.includes('node_modules'),
  });
  assert.equal([...files.keys()], ['.claude/a.md']);
});

test.run();
