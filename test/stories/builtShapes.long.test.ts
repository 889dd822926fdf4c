import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasGitLfs } from '../support/forges/lfsServer.ts';
import { type Story, story } from '../support/story.ts';

const test = suite('stories: checkouts of three kinds of repositories build');

const WORKFLOW = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

/** Runs the tests of the repository, and shows what git thinks is changed. */
const createWorker = (...command: string[]): string => `
const [program, ...args] = ${JSON.stringify(command)};
const tests = spawnSync(program, args, { encoding: 'utf8' });
console.log(tests.stdout + tests.stderr);
if (tests.status !== 0) throw new Error('the tests are red');
console.log('tests: green');
console.log('changed: ' + git('status', '--porcelain').replaceAll('\\n', ','));
`;

const createConfig = (rule: object) => ({
  runner: { stopGraceSeconds: 0 },
  checkout: { repositories: [{ repo: 'repo', ...rule }] },
});

const publish = (it: Story, files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) it.write(join(it.dir, 'work', path), text);
  it.git('add', '--all');
  it.git('commit', '--quiet', '-m', 'files');
  it.git('push', '--quiet', it.repository, 'HEAD:main');
};

/** The log of a job from its dispatch to its end. */
async function play(it: Story): Promise<{ id: string; log: string[] }> {
  const id = await it.job();
  const job = await it.until(id, ({ ended, parked }) => ended || parked !== null);
  assert.is(job.parked, null, JSON.stringify(job.parked));
  const log = await it.log(id);
  assert.is(job.status, 'complete', log.join('\n'));
  assert.ok(log.includes('tests: green'), log.join('\n'));
  return { id, log };
}

const PNPM = join(import.meta.dirname, '../../node_modules/pnpm/bin/pnpm.cjs');

/** Writes the lock file as a person would, in their clone. No registry is asked. */
const lockPackages = (it: Story): void => {
  execFileSync(process.execPath, [PNPM, 'install', '--lockfile-only', '--offline'], {
    cwd: join(it.dir, 'work'),
    env: { PATH: process.env.PATH, HOME: join(it.dir, 'person') },
    stdio: 'pipe',
  });
};

const WEB_TEST = `
import { createServer } from 'node:http';
import { price } from '@shop/lib';
import test from 'node:test';
import assert from 'node:assert';
test('it serves the price of its settings', async () => {
  const server = createServer((_, reply) => reply.end(String(price(Number(process.env.BASE_PRICE)))));
  await new Promise((done) => server.listen(Number(process.env.SVC_PORT), '127.0.0.1', done));
  const text = await (await fetch('http://127.0.0.1:' + process.env.SVC_PORT)).text();
  server.close();
  assert.equal(text, '42');
});
`;

test(
  'a pnpm monorepo, with the .env of the person, a port of its own and the store as a cache',
  story(
    {
      workflow: WORKFLOW,
      programs: { worker: createWorker(process.execPath, PNPM, '--recursive', 'test') },
      config: createConfig({
        setup: `'${process.execPath}' '${PNPM}' install --offline --frozen-lockfile`,
        copyFiles: ['.env'],
        copyFrom: 'mine',
        caches: ['.local/share/pnpm/store'],
      }),
    },
    async (it) => {
      it.write(join(it.home, 'mine', '.env'), 'BASE_PRICE=20.6\n');
      const work = (path: string, text: string) => it.write(join(it.dir, 'work', path), text);
      work('round/package.json', '{"name":"round","version":"1.0.0","exports":"./index.cjs"}');
      work('round/index.cjs', 'module.exports = Math.round;\n');
      work('.gitignore', 'node_modules\n');
      work('package.json', '{"name":"shop","private":true}');
      work('pnpm-workspace.yaml', 'packages: [packages/*]\n');
      work(
        'packages/lib/package.json',
        '{"name":"@shop/lib","type":"module","exports":"./index.js","dependencies":{"round":"file:../../round"}}',
      );
      work(
        'packages/lib/index.js',
        "import round from 'round';\nexport const price = (base) => round(base * 2) + 1;\n",
      );
      work(
        'packages/web/package.json',
        '{"name":"@shop/web","type":"module","dependencies":{"@shop/lib":"workspace:*"},"scripts":{"test":"node --env-file=../../.env --test"}}',
      );
      lockPackages(it);
      publish(it, { 'packages/web/web.test.js': WEB_TEST });
      const { log } = await play(it);
      assert.ok(log.includes('changed: '), log.join('\n'));
      const store = join(it.home, 'caches', 'repo', '.local', 'share', 'pnpm', 'store');
      assert.ok(existsSync(join(store, 'v10')), log.join('\n'));
    },
  ),
);

test(
  'Python with a virtual environment and the tests of its standard library',
  story(
    {
      workflow: WORKFLOW,
      programs: { worker: createWorker('.venv/bin/python', '-m', 'unittest') },
    },
    async (it) => {
      publish(it, {
        '.gitignore': '.venv\n__pycache__\n',
        '.svc/checkout.md': '---\nsetup: python3 -m venv --without-pip .venv\n---\n',
        'shop.py': 'def price(base):\n    return base * 2\n',
        'test_shop.py':
          'import sys, unittest, shop\nclass T(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(shop.price(21), 42)\n        self.assertNotEqual(sys.prefix, sys.base_prefix)\n',
      });
      const [repo] = await it.client.trust();
      await it.client.addTrust({ repo: 'repo', hash: repo?.hash ?? '' });
      const { log } = await play(it);
      assert.ok(log.includes('changed: '), log.join('\n'));
    },
  ),
);

if (!hasGitLfs()) test('git-lfs is not installed: nothing of it can be tried', () => undefined);
else
  test(
    'a repository with a submodule and files of Git LFS, whose checkout cleanup can remove',
    story(
      {
        workflow: WORKFLOW,
        programs: { worker: createWorker('sh', 'test.sh') },
        config: {
          ...createConfig({ submodules: ['library'], lfs: true }),
          forges: { local: { repos: { repo: '../repo.git', library: '../library' } } },
        },
      },
      async (it) => {
        const library = join(it.dir, 'library');
        it.write(join(library, 'answer'), '42\n');
        const as = ['-c', 'user.name=S', '-c', 'user.email=s@svc.invalid'];
        const inLibrary = (...args: string[]) =>
          execFileSync('git', [...as, ...args], { cwd: library, stdio: 'pipe' });
        inLibrary('init', '--quiet');
        inLibrary('add', '--all');
        inLibrary('commit', '--quiet', '-m', 'library');
        it.git('lfs', 'install', '--local');
        it.git(
          '-c',
          'protocol.file.allow=always',
          'submodule',
          '--quiet',
          'add',
          `file://${library}`,
          'vendor/library',
        );
        it.git('remote', 'add', 'origin', it.repository);
        for (const [path, text] of Object.entries({
          '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
          'data.bin': 'whole\n',
          'test.sh':
            'set -e\ntest "$(cat vendor/library/answer)" = 42\ntest "$(cat data.bin)" = whole\n',
        }))
          it.write(join(it.dir, 'work', path), text);
        it.git('add', '--all');
        it.git('commit', '--quiet', '-m', 'data');
        it.git('push', '--quiet', 'origin', 'HEAD:main');

        const { id, log } = await play(it);
        assert.ok(log.includes('changed: '), log.join('\n'));
        assert.not.ok(log.some((line) => /Submodules are not fetched|are pointers/.test(line)));
        const { left } = await it.client.gc({ olderThanMs: 0 });
        assert.equal(left, []);
        assert.not(existsSync(join(it.home, 'work', id)));
      },
    ),
  );

test.run();
