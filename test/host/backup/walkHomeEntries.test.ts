import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { walkHomeEntries } from '../../../src/host/backup/walkHomeEntries.ts';
import { git } from '../../support/gitRepository.ts';

const test = suite<{ home: string }>('what of a home goes into a backup');

test.before.each((context) => {
  context.home = mkdtempSync(join(tmpdir(), 'svc-entries-'));
});
test.after.each(({ home }) => rmSync(home, { recursive: true, force: true }));

/** Paths of the entries; `at` is called with each before the next one is looked for. */
async function collectPaths(
  home: string,
  { at = (_: string) => {}, unread = [] as string[] } = {},
): Promise<string[]> {
  const paths: string[] = [];
  const entries = walkHomeEntries({
    home,
    workingDir: join(home, 'work'),
    takesJob: () => true,
    onUnread: (path) => void unread.push(path),
  });
  for await (const { path } of entries) {
    paths.push(path);
    at(path);
  }
  return paths;
}

test('objects that a git packs meanwhile are in it, as the pack that it has made', async ({
  home,
}) => {
  const checkout = join(home, 'work', 'job', 'shop');
  mkdirSync(checkout, { recursive: true });
  git(checkout, ['init', '--quiet', '--initial-branch=main']);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(checkout, name), name);
  git(checkout, ['add', '--all']);
  git(checkout, ['commit', '--quiet', '-m', 'first']);
  let isPacked = false;
  const paths = await collectPaths(home, {
    at(path) {
      if (isPacked || !path.includes('/objects/pack')) return;
      isPacked = true;
      git(checkout, ['gc', '--quiet', '--prune=now']);
    },
  });
  const [pack] = readdirSync(join(checkout, '.git', 'objects', 'pack')).filter((name) =>
    name.endsWith('.pack'),
  );
  assert.ok(isPacked && pack !== undefined);
  assert.ok(paths.includes(`home/work/job/shop/.git/objects/pack/${pack}`), paths.join('\n'));
  assert.is(new Set(paths).size, paths.length, 'each path comes once');
});

test('what cannot be read is named, also in a folder that only lists its names', async ({
  home,
}) => {
  const path = join(home, 'plugins', 'secret', 'key');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  chmodSync(dirname(path), 0o400);
  const unread: string[] = [];
  const paths = await collectPaths(home, { unread });
  chmodSync(dirname(path), 0o700);
  // The superuser reads everything.
  assert.equal(unread, process.getuid?.() === 0 ? [] : [path]);
  assert.equal(paths.slice(0, 2), ['home/plugins', 'home/plugins/secret']);
});

test.run();
