import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ErrorCode, SvcError } from '../../../src/lib/errors.ts';
import { MAX_LAYER_FILES } from '../../../src/authoring/overlay/layer.ts';
import { readLayer } from '../../../src/authoring/overlay/readLayer.ts';
import { folderWith, textOf } from '../../support/intelligenceFolder.ts';

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
    [...layer.files].map(([path, bytes]) => [path, textOf(bytes)]),
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
    /cannot be read\. Create the folder or fix tenant\.overlay\.path/,
  );
  await refusal(join(folderWith({ file: '' }), 'file'), 'config-invalid', /is not a folder/);
});

test('links to files inside are read, all other links are refused', async () => {
  const secret = folderWith({ id_rsa: 'SECRET' });
  const dir = folderWith({ 'memory/a.md': 'A' });
  symlinkSync('a.md', join(dir, 'memory/b.md'));
  assert.equal(textOf((await readLayer('tenant', dir)).files.get('memory/b.md')), 'A');

  for (const [target, message] of [
    [join(secret, 'id_rsa'), /points outside/],
    [secret, /points outside/],
    ['nowhere', /is broken/],
    ['.', /Links to folders are not followed/],
  ] as const) {
    const linked = folderWith({ 'memory/a.md': 'A' });
    symlinkSync(target, join(linked, 'memory/link.md'));
    await refusal(linked, 'config-invalid', message);
  }
});

test('a folder whose name begins like the layer is outside of it', async () => {
  const parent = folderWith({ 'layer/a.md': 'A', 'layer-secret/s.md': 'S' });
  symlinkSync('../layer-secret/s.md', join(parent, 'layer/link.md'));
  await refusal(join(parent, 'layer'), 'config-invalid', /points outside/);
});

test('what is neither file nor folder is refused instead of read forever', async () => {
  const dir = folderWith({});
  execFileSync('mkfifo', [join(dir, 'pipe.md')]);
  await refusal(dir, 'config-invalid', /neither a file nor a folder/);
});

test('paths that do not fit every system are refused', async () => {
  await refusal(folderWith({ 'a\\b.md': '' }), 'config-invalid', /contains a backslash/);
  await refusal(folderWith({ 'a\u200bb.md': '' }), 'config-invalid', /invisible/);
});

test('a layer over its limits is refused, with the limit', async () => {
  await refusal(
    folderWith({ 'memory/big.md': 'x'.repeat(1024 * 1024 + 1) }),
    'invalid',
    /memory\/big\.md .* has 1048577 bytes; the limit is 1048576/,
  );
  const many = folderWith({});
  mkdirSync(join(many, 'memory'));
  for (let at = 0; at <= MAX_LAYER_FILES; at++) writeFileSync(join(many, `memory/${at}.md`), '');
  await refusal(many, 'invalid', /more than 2000 files/);
});

test.run();
