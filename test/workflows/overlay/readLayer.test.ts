import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ErrorCode, SvcError } from '../../../src/base/errors/errors.ts';
import { MAX_LAYER_FILES } from '../../../src/workflows/overlay/layer.ts';
import { readLayer } from '../../../src/workflows/overlay/readLayer.ts';
import { folderWith, decodeText } from '../../support/intelligenceFolder.ts';

const test = suite('readLayer');

const refusal = async (dir: string, code: ErrorCode, message: RegExp) => {
  let thrown: unknown;
  try {
    await readLayer('tenant', dir);
  } catch (error) {
    thrown = error;
  }
  assert.instance(thrown, SvcError);
  if (thrown instanceof SvcError) {
    assert.is(thrown.code, code, thrown.message);
    assert.match(thrown.message, message);
  }
};

test('reads all files of a folder, without version control, packages and proposals (INT-1)', async () => {
  const dir = folderWith({
    'agents/a.md': 'A',
    '.claude/skills/s/SKILL.md': 'S',
    'agents/proposals/p.md': 'deeper is no proposal',
    '.git/config': 'no',
    'node_modules/x/index.js': 'no',
    'sub/.git/config': 'no',
    'proposals/p.md': 'not live',
  });
  const layer = await readLayer('tenant', dir);
  assert.equal(
    [...layer.files].map(([path, bytes]) => [path, decodeText(bytes)]),
    [
      ['.claude/skills/s/SKILL.md', 'S'],
      ['agents/a.md', 'A'],
      ['agents/proposals/p.md', 'deeper is no proposal'],
    ],
  );
  assert.equal(layer.name, 'tenant');
  assert.equal(layer.origin, dir);
  assert.equal(layer.root, dir);
});

test('a missing folder is a configuration error that says where to fix it', async () => {
  await refusal(
    join(folderWith({}), 'nowhere'),
    'config-invalid',
    /cannot be read: ENOENT\. Create the folder or fix tenant\.overlay\.path/,
  );
  await refusal(join(folderWith({ file: '' }), 'file'), 'config-invalid', /is not a folder/);
});

/** What is left out of a folder, as path → reason. */
const readLeftOut = async (dir: string) => {
  const { leftOut = [] } = await readLayer('tenant', dir);
  return Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));
};

test('links to files and folders inside are followed, all others are left out, and their neighbours stay', async () => {
  const secret = folderWith({ id_rsa: 'SECRET' });
  const dir = folderWith({ 'memory/a.md': 'A', '.agents/skills/s/SKILL.md': 'S' });
  const links = {
    'memory/b.md': 'a.md',
    'memory/file.md': join(secret, 'id_rsa'),
    'memory/folder': secret,
    'memory/broken.md': 'nowhere',
    'memory/self': '.',
    'memory/one.md': 'other.md',
    'memory/other.md': 'one.md',
    '.claude/skills/s': '../../.agents/skills/s',
  };
  mkdirSync(join(dir, '.claude/skills'), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(dir, path));
  const { files, leftOut = [] } = await readLayer('tenant', dir);
  assert.equal(
    [...files].map(([path, bytes]) => [path, decodeText(bytes)]),
    [
      ['.agents/skills/s/SKILL.md', 'S'],
      ['.claude/skills/s/SKILL.md', 'S'],
      ['memory/a.md', 'A'],
      ['memory/b.md', 'A'],
    ],
  );
  assert.equal(Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason])), {
    'memory/broken.md': 'the link is broken',
    'memory/file.md': 'the link leads out of the layer',
    'memory/folder': 'the link leads out of the layer',
    'memory/one.md': 'the link leads in a loop',
    'memory/other.md': 'the link leads in a loop',
    'memory/self': 'the link leads in a loop',
  });
});

test('a folder whose name begins like the layer is outside of it', async () => {
  const parent = folderWith({ 'layer/a.md': 'A', 'layer-secret/s.md': 'S' });
  symlinkSync('../layer-secret/s.md', join(parent, 'layer/link.md'));
  assert.equal(await readLeftOut(join(parent, 'layer')), {
    'link.md': 'the link leads out of the layer',
  });
});

test('what is neither file nor folder is left out instead of read forever, also behind a link', async () => {
  const dir = folderWith({});
  execFileSync('mkfifo', [join(dir, 'pipe.md')]);
  symlinkSync('pipe.md', join(dir, 'link.md'));
  assert.equal(await readLeftOut(dir), {
    'link.md': 'the link leads to neither a file nor a folder',
    'pipe.md': 'it is neither a file nor a folder',
  });
});

test('paths that do not fit every system are left out', async () => {
  const dir = folderWith({ 'a\\b.md': '', 'a\u200bb.md': '', 'Same.md': '', 'same.md': '' });
  const reasons = Object.values(await readLeftOut(dir));
  assert.equal(reasons.sort(), [
    'Same.md has the same name on systems that ignore case or accents',
    'its path contains a backslash',
    'its path contains control or invisible characters',
  ]);
});

test('a name that is not UTF-8 finds no file, and its neighbours stay', async () => {
  const dir = folderWith({ 'workflows/a.md': 'A' });
  const latin1 = Buffer.concat([Buffer.from(join(dir, 'workflows', 'caf')), Buffer.from([0xe9])]);
  writeFileSync(Buffer.concat([latin1, Buffer.from('.md')]), 'B');
  const { files, leftOut } = await readLayer('tenant', dir);
  assert.equal([...files.keys()], ['workflows/a.md']);
  assert.equal(
    leftOut?.map(({ reason }) => reason),
    ['its name is not UTF-8'],
  );
});

test('a folder that is named like a workflow or an agent is left out, and its neighbours stay', async () => {
  const dir = folderWith({
    'workflows/a.md': 'A',
    'workflows/dir.md/x': 'x',
    'agents/sub/a.md/x': 'x',
  });
  const { files, leftOut } = await readLayer('tenant', dir);
  assert.equal([...files.keys()], ['workflows/a.md']);
  assert.equal(
    leftOut?.map(({ path, reason }) => [path, reason]),
    [
      ['workflows/dir.md', 'it is a folder, and a workflow is a file'],
      ['agents/sub/a.md', 'it is a folder, and an agent is a file'],
    ],
  );
});

test('a text that agents are given as it is has to be UTF-8', async () => {
  const dir = folderWith({ 'memory/a.md': 'A' });
  writeFileSync(join(dir, 'memory/latin.md'), Buffer.from([0x63, 0xe9]));
  assert.equal(await readLeftOut(dir), { 'memory/latin.md': 'it is not UTF-8 text' });
});

test('limits count what is used, and leave out the rest with the limit', async () => {
  assert.equal(await readLeftOut(folderWith({ 'memory/big.md': 'x'.repeat(1024 * 1024 + 1) })), {
    'memory/big.md': 'it has more than 1 MiB (1048576 bytes)',
  });
  const many = folderWith({ 'workflows/w.md': 'W', '.venv/lib/x.py': '' });
  for (const folder of ['memory', 'docs']) {
    mkdirSync(join(many, folder));
    for (let at = 0; at <= MAX_LAYER_FILES; at++) writeFileSync(join(many, folder, `${at}.md`), '');
  }
  const { files, leftOut = [] } = await readLayer('tenant', many);
  assert.ok(files.has('workflows/w.md'));
  assert.equal(
    leftOut.map(({ path, reason }) => `${path}: ${reason}`),
    [
      'memory/998.md: the layer has more than 2000 files',
      'memory/999.md: the layer has more than 2000 files',
      'docs/999.md: the layer has more than 2000 files beside workflows, agents, memory and skills',
    ],
  );
});

/** Lets a function of the file system do something else while `act` runs. */
async function replaceWhileReading(
  name: 'open' | 'readdir' | 'realpath' | 'stat',
  by: (path: string) => void,
  act: () => Promise<void>,
): Promise<void> {
  const original = fsPromises[name] as (...values: unknown[]) => unknown;
  Object.assign(fsPromises, {
    [name]: async (...values: unknown[]) => {
      by(String(values[0]));
      return original(...values);
    },
  });
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    Object.assign(fsPromises, { [name]: original });
    syncBuiltinESMExports();
  }
}

const fault = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

for (const name of ['open', 'readdir', 'realpath', 'stat'] as const)
  test(`a fault of ${name} that passes leaves no file out and is no mistake of the layer`, async () => {
    const dir = folderWith({ 'agents/a.md': 'A', 'memory/b.md': 'B' });
    symlinkSync('b.md', join(dir, 'memory/c.md'));
    for (const code of ['EMFILE', 'EIO'])
      await replaceWhileReading(
        name,
        () => {
          throw fault(code);
        },
        () => refusal(dir, 'temporarily-unavailable', new RegExp(code)),
      );
    assert.is((await readLayer('tenant', dir)).files.size, 3);
  });

test('a layer that is replaced while it is read is read again, whole', async () => {
  const dir = folderWith({ 'agents/a.md': 'old', 'agents/b.md': 'old' });
  const next = folderWith({ 'agents/a.md': 'new', 'agents/b.md': 'new' });
  let isReplaced = false;
  const replace = (path: string) => {
    if (isReplaced || path.endsWith('a.md')) return;
    isReplaced = true;
    renameSync(dir, `${dir}.old`);
    renameSync(next, dir);
  };
  await replaceWhileReading('open', replace, async () => {
    const { files } = await readLayer('tenant', dir);
    assert.equal(
      [...files].map(([path, bytes]) => [path, decodeText(bytes)]),
      [
        ['agents/a.md', 'new'],
        ['agents/b.md', 'new'],
      ],
    );
  });
});

test('a layer that is gone between its two versions is waited for', async () => {
  const dir = folderWith({ 'agents/a.md': 'A' });
  renameSync(dir, `${dir}.away`);
  const back = () => {
    if (existsSync(`${dir}.away`)) setImmediate(() => renameSync(`${dir}.away`, dir));
  };
  await replaceWhileReading('realpath', back, async () => {
    assert.is((await readLayer('tenant', dir)).files.size, 1);
  });
});

test.run();
