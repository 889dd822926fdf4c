import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import {
  inspectHomeToRemove,
  isBeingRemoved,
  isOwnName,
} from '../../../src/host/uninstall/inspectHomeToRemove.ts';
import { removeHome } from '../../../src/host/uninstall/removeHome.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite<{ dir: string }>('the removal of a home');

test.before.each((context) => {
  context.dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-uninstall-')));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** A home in `<dir>/home`, and a folder beside it that a link in the home leads to. */
function stage(dir: string): string {
  const home = join(dir, 'home');
  for (const folder of ['work/job-1/repo', 'mirrors', 'programs/0.2.0-x', 'logs'])
    mkdirSync(join(home, folder), { recursive: true });
  for (const file of [
    'state.db',
    'state.db-wal',
    'state.db.0.1.0',
    'home.json',
    'config.json',
    'runner.token',
    'work/job-1/repo/a',
  ])
    writeFileSync(join(home, file), 'x');
  mkdirSync(join(dir, 'elsewhere'));
  writeFileSync(join(dir, 'elsewhere', 'precious'), 'x');
  symlinkSync(join(dir, 'elsewhere'), join(home, 'blobs'));
  return home;
}

const look = (home: string, dir: string) =>
  inspectHomeToRemove(home, { userHome: join(dir, 'user'), hasConfig: true });

async function remove(
  home: string,
  dir: string,
  reached: (name: string) => void = () => {},
): Promise<string[]> {
  const target = await look(home, dir);
  assert.ok(target);
  return removeHome({ home: target, at: 'now', takeState: () => () => {}, onStep: reached });
}

test('all of it goes, and of a link only the link', async ({ dir }) => {
  const home = stage(dir);
  assert.equal(await remove(home, dir), []);
  assert.equal(readdirSync(dir), ['elsewhere']);
  assert.equal(readdirSync(join(dir, 'elsewhere')), ['precious']);
});

test('cut at every step, the home is known as one whose removal was begun, and a repeat finishes it', async ({
  dir,
}) => {
  const steps: string[] = [];
  await remove(stage(dir), dir, (name) => steps.push(name));
  rmSync(join(dir, 'elsewhere'), { recursive: true });
  assert.equal(steps, [
    'uninstall.json',
    'blobs',
    'config.json',
    'logs',
    'mirrors',
    'programs',
    'runner.token',
    'work',
    'state.db',
    'state.db-wal',
    'state.db.0.1.0',
    'home.json',
    'uninstall.json',
  ]);
  for (const [at] of steps.entries()) {
    const home = stage(dir);
    let n = 0;
    const cut = await remove(home, dir, () => {
      if (n++ === at) throw new Error('killed');
    }).then(
      () => '',
      (error: Error) => error.message,
    );
    assert.is(cut, 'killed', `step ${at}`);
    const isLast = at === steps.length - 1;
    assert.is(await isBeingRemoved(home), !isLast);
    // After the last step the folder is empty.
    assert.is((await look(home, dir))?.begun, !isLast);
    await remove(home, dir);
    assert.equal(readdirSync(dir), ['elsewhere'], `step ${at}`);
    rmSync(join(dir, 'elsewhere'), { recursive: true });
  }
});

test('what is not of svc stays, and the folder with it; the record of the home is gone', async ({
  dir,
}) => {
  const home = stage(dir);
  writeFileSync(join(home, 'notes.txt'), 'mine');
  assert.equal(await remove(home, dir), [join(home, 'notes.txt')]);
  assert.equal(readdirSync(home), ['notes.txt']);
});

test('a home that is named by a link goes with the link', async ({ dir }) => {
  const home = stage(dir);
  symlinkSync(home, join(dir, 'link'));
  await remove(join(dir, 'link'), dir);
  assert.equal(readdirSync(dir), ['elsewhere']);
});

test('while a process has the state nothing is removed, and the home is not marked', async ({
  dir,
}) => {
  const home = stage(dir);
  const target = await look(home, dir);
  assert.ok(target);
  const takeState = () => {
    throw new SvcError('locked', 'in use');
  };
  const refused = await catchRefusal(() => removeHome({ home: target, at: 'now', takeState }));
  assert.is(refused.code, 'locked');
  assert.is(existsSync(join(home, 'work/job-1/repo/a')), true);
  assert.is(await isBeingRemoved(home), false);
});

test('what cannot be removed is named, and the home stays one whose removal was begun', async ({
  dir,
}) => {
  if (process.getuid?.() === 0) return;
  const home = stage(dir);
  chmodSync(home, 0o500);
  const error = await remove(home, dir).then(
    () => null,
    (thrown: Error) => thrown,
  );
  chmodSync(home, 0o700);
  assert.match(String(error?.message), /EACCES/);
  assert.is(readFileSync(join(home, 'state.db'), 'utf8'), 'x');
});

test('a folder that is no home is refused', async ({ dir }) => {
  mkdirSync(join(dir, 'user/project'), { recursive: true });
  writeFileSync(join(dir, 'user/project/config.json'), '{}');
  writeFileSync(join(dir, 'file'), '');
  const catchInspectError = async (path: string, hasConfig = false) =>
    (
      await catchRefusal(() =>
        inspectHomeToRemove(path, { userHome: join(dir, 'user'), hasConfig }),
      )
    ).message;
  for (const path of ['/', dir, join(dir, 'user')])
    assert.match(
      await catchInspectError(path),
      `${path} contains your home folder, so svc removes nothing in it`,
    );
  assert.match(
    await catchInspectError(join(dir, 'user/project')),
    'it has neither home.json nor state.db',
  );
  assert.match(await catchInspectError(join(dir, 'file')), 'is a file and not a home of svc');
  writeFileSync(join(dir, 'user/project/main.c'), '');
  assert.match(
    await catchInspectError(join(dir, 'user/project'), true),
    'it has neither home.json nor state.db',
  );
  assert.is(
    await inspectHomeToRemove(join(dir, 'nothing'), { userHome: dir, hasConfig: false }),
    null,
  );
});

test('everything that the documents say is in a home is removed with it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/index.md'), 'utf8');
  const table = page.slice(page.indexOf('| Path | Contents |')).split('\n\n')[0] ?? '';
  const names = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, path = '']) => path.split('/')[0]?.replace('<release>', '0.1.0') ?? '');
  assert.ok(names.length > 25);
  assert.equal(
    names.filter((name) => !isOwnName(name)),
    [],
  );
});

test.run();
