import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Header, pack } from 'tar-stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HEADER } from '../../../src/host/backup/backupFormat.ts';
import { restoreHome } from '../../../src/host/backup/restoreHome.ts';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite<{ dir: string }>('a backup that someone else has made');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const DESCRIPTION = {
  format: 1,
  release: '0.2.0',
  schema: 1,
  home: '/old',
  workingDir: '/old/work',
  createdAt: '2026-11-24T00:00:00.000Z',
  work: 'all',
  jobs: 0,
  active: 0,
};

type Entry = Partial<Header> & { name: string; text?: string };

async function refusalFor(dir: string, entries: readonly Entry[]): Promise<string> {
  const tar = pack();
  tar.entry({ name: HEADER }, JSON.stringify(DESCRIPTION));
  for (const { text = '', ...header } of entries) {
    if (header.type === undefined) tar.entry(header, text);
    else tar.entry(header);
  }
  tar.finalize();
  const file = join(dir, 'home.tar');
  await pipeline(tar, createWriteStream(file));
  const { message } = await catchRefusal(() =>
    restoreHome({
      file,
      home: join(dir, 'home'),
      release: '0.2.0',
      schema: 1,
      pid: 1,
      isAlive: () => false,
      ids: randomIds,
      findProblems: () => [],
    }),
  );
  assert.is(existsSync(join(dir, 'home')), false);
  return message;
}

for (const name of ['home/../../out', '/etc/out', 'out', 'home//out', 'home/./out'])
  test(`the path ${name} is refused`, async ({ dir }) => {
    assert.match(await refusalFor(dir, [{ name, text: 'x' }]), 'it contains the path');
    assert.is(existsSync(join(dir, 'out')), false);
  });

test('a file below a link is refused', async ({ dir }) => {
  const link: Entry = { name: 'home/link', type: 'symlink', linkname: dir };
  assert.match(
    await refusalFor(dir, [link, { name: 'home/link/out', text: 'x' }]),
    'below something that is not a folder',
  );
  assert.is(existsSync(join(dir, 'out')), false);
});

test('a path that comes twice is refused', async ({ dir }) => {
  const link: Entry = { name: 'home/a', type: 'symlink', linkname: join(dir, 'out') };
  assert.match(
    await refusalFor(dir, [link, { name: 'home/a', text: 'x' }]),
    'it contains the path',
  );
});

test('a device is refused', async ({ dir }) => {
  const device: Entry = { name: 'home/null', type: 'character-device' };
  assert.match(await refusalFor(dir, [device]), 'which is a character-device');
});

test.run();
