import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ToolFault } from '../../../src/executors/builtin/agentTool.ts';
import { Places } from '../../../src/executors/builtin/tools/places.ts';

const test = suite('builtin places');

/** A checkout with a file, an overlay, and something precious outside of both. */
async function prepare() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'svc-places-')));
  const root = join(dir, 'shop');
  for (const folder of ['shop/src', 'shop/.git', 'overlay', 'outside'])
    await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(root, 'src', 'a.js'), 'inside');
  await writeFile(join(dir, 'overlay', 'skill.md'), 'overlay');
  await writeFile(join(dir, 'outside', 'secret'), 'precious');
  const places = await Places.open(root, [join(dir, 'overlay'), join(dir, 'none')]);
  return {
    dir,
    root,
    places,
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

const read = async (places: Places, path: string): Promise<string> => {
  const file = await places.openFile(path);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};
const refusal = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ToolFault);
  return error instanceof Error ? error.message : '';
};

test('the checkout may be read and changed, the overlay only read, and nothing else at all', async () => {
  await using stage = await prepare();
  const { dir, root, places } = stage;
  assert.is(await read(places, 'src/a.js'), 'inside');
  assert.is(await read(places, join(root, 'src/../src/a.js')), 'inside');
  assert.is(await read(places, '../overlay/skill.md'), 'overlay');
  const outside = (path: string) => `${path} is outside of the checkout ${root}; nothing was done.`;
  for (const path of [
    '../outside/secret',
    join(dir, 'outside/secret'),
    '/etc/passwd',
    '..',
    '../shop-other/x',
  ]) {
    assert.is(await refusal(places.openFile(path)), outside(path));
    assert.is(await refusal(places.write(path, 'x')), outside(path));
  }
  assert.is(
    await refusal(places.write('../overlay/skill.md', 'x')),
    outside('../overlay/skill.md'),
  );
  assert.is(await read(places, '../overlay/skill.md'), 'overlay');
});

test('links are followed as far as they stay inside', async () => {
  await using stage = await prepare();
  const { dir, root, places } = stage;
  await symlink(join(root, 'src'), join(root, 'code'));
  await symlink(join(dir, 'outside'), join(root, 'out'));
  await symlink(join(dir, 'outside', 'secret'), join(root, 'src', 'secret'));
  await symlink(join(dir, 'outside', 'new'), join(root, 'src', 'nowhere'));
  await symlink('loop', join(root, 'loop'));
  assert.is(await read(places, 'code/a.js'), 'inside');
  assert.is(await places.write('code/a.js', 'changed'), true);
  assert.is(await readFile(join(root, 'src', 'a.js'), 'utf8'), 'changed');
  for (const path of ['out/secret', 'out/new', 'src/secret', 'out']) {
    assert.match(await refusal(places.write(path, 'x')), 'is outside of the checkout');
    assert.match(await refusal(places.openFile(path)), 'is outside of the checkout');
  }
  assert.match(await refusal(places.write('src/nowhere', 'x')), 'is a broken link');
  assert.match(await refusal(places.openFile('loop')), 'is a link to itself');
  assert.equal(await readdir(join(dir, 'outside')), ['secret']);
  assert.is(await readFile(join(dir, 'outside', 'secret'), 'utf8'), 'precious');
});

test('a file is written whole, keeps its mode, and takes nothing else with it', async () => {
  await using stage = await prepare();
  const { dir, root, places } = stage;
  assert.is(await places.write('new/deep/b.txt', 'one'), false);
  assert.is((await stat(join(root, 'new/deep/b.txt'))).mode & 0o777, 0o644);
  await chmod(join(root, 'src/a.js'), 0o755);
  await link(join(root, 'src/a.js'), join(dir, 'outside', 'same-file'));
  assert.is(await places.write('src/a.js', 'two'), true);
  assert.is((await stat(join(root, 'src/a.js'))).mode & 0o777, 0o755);
  assert.is(
    await readFile(join(dir, 'outside', 'same-file'), 'utf8'),
    'inside',
    'a second name elsewhere is not written through',
  );
  assert.equal((await readdir(join(root, 'src'))).sort(), ['a.js']);
});

test('anything but a regular file, and anything that belongs to git, is refused with a reason', async () => {
  await using stage = await prepare();
  const { root, places } = stage;
  await once(spawn('mkfifo', [join(root, 'pipe')]), 'exit');
  assert.is(await refusal(places.openFile('pipe')), 'pipe is not a regular file.');
  assert.is(await refusal(places.write('pipe', 'x')), 'pipe is not a regular file.');
  assert.is(await refusal(places.openFile('src')), 'src is not a regular file.');
  assert.is(await refusal(places.write('src', 'x')), 'src is not a regular file.');
  assert.is(await refusal(places.write('.', 'x')), '. is the checkout itself.');
  assert.is(await refusal(places.openFile('none.txt')), 'The file none.txt does not exist.');
  assert.is(await refusal(places.openFile('none/a.txt')), 'The file none/a.txt does not exist.');
  assert.match(await refusal(places.write('src/a.js/b', 'x')), /src\/a\.js/);
  assert.is(
    await refusal(places.write('.git/hooks/pre-commit', 'x')),
    '.git/hooks/pre-commit belongs to git; change it with git.',
  );
  const twins = [
    '.GIT/config',
    '.Git/hooks/x',
    'src/.gIt/config',
    '.g\u200cit/config',
    '.git./config',
    '.git /config',
    'GIT~1/config',
  ];
  for (const path of twins)
    assert.is(
      await refusal(places.write(path, 'x')),
      `${path} belongs to git; change it with git.`,
    );
  await places.write('.gitignore', 'x');
  await places.write('git-notes/.github', 'x');
  assert.is(await refusal(places.openFile('a\0b')), 'A path must not contain a null character.');
});

test('a folder that becomes a link between the look and the act leads nowhere outside', async () => {
  await using stage = await prepare();
  const { dir, root, places } = stage;
  const swap = 'while :; do mkdir d 2>/dev/null; rm -rf d; ln -s ../outside d; rm -f d; done';
  const swapping = spawn('sh', ['-c', swap], { cwd: root, stdio: 'ignore', detached: true });
  try {
    const outcomes = { written: 0, refused: 0 };
    for (let round = 0; round < 400; round += 1) {
      await places.write('d/file', 'x').then(
        () => {
          outcomes.written += 1;
        },
        () => {
          outcomes.refused += 1;
        },
      );
      const content = await read(places, 'd/secret').catch(() => null);
      assert.is(content, null);
    }
    assert.is(outcomes.written + outcomes.refused, 400);
  } finally {
    // The shell and what it runs.
    process.kill(-(swapping.pid ?? 0), 'SIGKILL');
    await once(swapping, 'exit');
  }
  assert.equal(await readdir(join(dir, 'outside')), ['secret']);
});

test.run();
