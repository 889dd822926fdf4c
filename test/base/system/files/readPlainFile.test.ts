import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPlainFile } from '../../../../src/base/system/files/readPlainFile.ts';

const test = suite<{ dir: string }>('a file that others write');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-plain-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

test('a plain file is read up to its limit', async ({ dir }) => {
  const file = join(dir, 'config');
  writeFileSync(file, 'text');
  assert.is(await readPlainFile(file, 4), 'text');
  assert.is(await readPlainFile(file, 3), null);
});

test('a link, a folder, a missing file and a pipe that nothing writes to are not read', async ({
  dir,
}) => {
  const [pipe, link] = [join(dir, 'pipe'), join(dir, 'link')];
  execFileSync('mkfifo', [pipe]);
  writeFileSync(join(dir, 'config'), 'text');
  symlinkSync(join(dir, 'config'), link);
  for (const path of [pipe, link, dir, join(dir, 'missing')])
    assert.is(await readPlainFile(path, 100), null, path);
});

test.run();
