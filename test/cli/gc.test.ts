import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import GcCommand from '../../cli/commands/gc.ts';
import type { GcReply } from '../../src/schema/gc.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ runner: FakeRunner; line: CommandLine }>('svc gc');

const nothing: GcReply = {
  dryRun: false,
  endedBefore: '',
  removed: [],
  kept: [],
  left: [],
  inUse: 0,
  next: null,
};
const pages: GcReply[] = [
  {
    ...nothing,
    removed: [
      { jobId: 'shop-job-1', path: '/work/shop-job-1/shop', bytes: 3_000_000 },
      { jobId: 'shop-job-1', path: '/work/shop-job-1/home', bytes: 145_728 },
      { jobId: null, path: '/tmp/svc-index-Ab12Cd', bytes: 10 },
    ],
    kept: [
      {
        jobId: 'shop-job-1',
        repository: '/m/shop.git',
        ref: 'refs/svc/kept/shop-job-1/ab/files',
        commit: 'ab',
        what: 'files',
      },
    ],
    inUse: 1,
    next: 'shop-job-1',
  },
  {
    ...nothing,
    left: [
      {
        jobId: 'shop-job-2',
        path: '/work/shop-job-2/shop',
        reason: 'its .git is broken\u001B[31m: HEAD is missing',
      },
    ],
    inUse: 1,
  },
];

test.before.each(async (context) => {
  let asked = 0;
  const routes = {
    get 'POST /gc'(): Reply {
      asked += 1;
      return [200, pages[asked - 1] ?? nothing];
    },
  };
  context.runner = await fakeRunner(routes);
  context.line = new CommandLine({ SVC_HOME: '/nonexistent', SVC_URL: context.runner.url });
});
test.after.each(({ runner }) => runner.close());

test('it asks until all folders were looked at, and tells what went, what is kept and what is left', async ({
  line,
  runner,
}) => {
  assert.equal(await line.run(GcCommand, []), {
    code: 0,
    out: `Removed 3.0 MiB of 1 job:
  shop-job-1  3.0 MiB
  /tmp/svc-index-Ab12Cd  10 B

Kept work that is not in the repository's branches (1):
  shop-job-1: files
    refs/svc/kept/shop-job-1/ab/files
To get one back, in a clone of the repository:
  git fetch '/m/shop.git' 'refs/svc/kept/shop-job-1/ab/files' && git switch -c kept FETCH_HEAD

Left for you to look at (1):
  /work/shop-job-2/shop
    its .git is broken: HEAD is missing

2 jobs have not ended, or not long enough ago.
`,
    err: '',
  });
  assert.equal(
    runner.seen.map(({ body }) => body),
    [{ olderThanMs: 1_209_600_000 }, { olderThanMs: 1_209_600_000, after: 'shop-job-1' }],
  );
});

test('--older-than and --dry-run are sent; --json is the whole', async ({ line, runner }) => {
  const { out } = await line.run(GcCommand, ['--dry-run', '--older-than', '90d', '--json']);
  assert.equal(runner.seen[0]?.body, { dryRun: true, olderThanMs: 7_776_000_000 });
  const { removed, kept, left, inUse, next } = JSON.parse(out);
  assert.equal(removed.length, 3);
  assert.equal(kept.length, 1);
  assert.equal(left.length, 1);
  assert.equal(inUse, 2);
  assert.equal(next, null);
});

test('an age that is none is refused before anything is asked', async ({ line, runner }) => {
  assert.match(
    (await line.run(GcCommand, ['--older-than', 'soon'])).err,
    /"soon" is not a duration/,
  );
  assert.equal(runner.seen, []);
});

test.run();
