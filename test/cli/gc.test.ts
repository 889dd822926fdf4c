import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import GcCommand from '../../cli/commands/gc.ts';
import type { GcReply, GcSchedule } from '../../src/contract/schema/runner/gc.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { type FakeRunner, fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ runner: FakeRunner; line: CommandLine }>('svc gc');

const nothing: GcReply = {
  dryRun: false,
  endedBefore: '2026-06-01T00:00:00.000Z',
  removed: [],
  kept: [],
  left: [],
  inUse: 0,
  freed: 0,
  next: null,
};
const pages: GcReply[] = [
  {
    ...nothing,
    removed: [
      { kind: 'checkouts', jobId: 'shop-job-1', path: '/work/shop-job-1/shop', bytes: 3_000_000 },
      { kind: 'checkouts', jobId: 'shop-job-1', path: '/work/shop-job-1/home', bytes: 145_728 },
      { kind: 'leftovers', jobId: null, path: '/tmp/svc-index-Ab12Cd', bytes: 10 },
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

const schedule: GcSchedule = {
  everyMs: 86_400_000,
  nextAt: '2026-06-02T00:00:00.000Z',
  runs: [
    {
      startedAt: '2026-06-01T00:00:00.000Z',
      endedAt: '2026-06-01T00:00:09.000Z',
      removed: { logs: { items: 2, bytes: 2048 }, checkouts: { items: 50, bytes: 100_000 } },
      kept: 1,
      left: [
        {
          jobId: null,
          path: '/m/shop.git',
          reason: 'it contains work that was saved from checkouts',
        },
      ],
      leftCount: 1,
      freed: 1024,
      problem: null,
    },
  ],
};

test.before.each(async (context) => {
  let requestCount = 0;
  const routes = {
    get 'POST /gc'(): Reply {
      requestCount += 1;
      return [200, pages[requestCount - 1] ?? nothing];
    },
    'GET /gc': [200, schedule] as Reply,
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
  Leftovers of a killed runner: 10 B
    /tmp/svc-index-Ab12Cd  10 B
  Folders of jobs: 3.0 MiB
    shop-job-1  3.0 MiB

Kept work that is not in the repository's branches (1):
  shop-job-1: files
    refs/svc/kept/shop-job-1/ab/files
To get one back, in a clone of the repository:
  git fetch '/m/shop.git' 'refs/svc/kept/shop-job-1/ab/files' && git switch -c kept FETCH_HEAD

Needs your attention (1):
  /work/shop-job-2/shop
    its .git is broken: HEAD is missing

2 jobs have not ended, or ended too recently.
`,
    err: '',
  });
  assert.equal(
    runner.seen.map(({ body }) => body),
    [{}, { after: 'shop-job-1' }],
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

test('--last shows the schedule and its last run, and removes nothing', async ({
  line,
  runner,
}) => {
  assert.equal(
    (await line.run(GcCommand, ['--last'])).out,
    `Every 24 h, next at 2026-06-02T00:00:00.000Z.
Last run at 2026-06-01T00:00:00.000Z:
  Folders of jobs: 50, 97.7 KiB
  Logs that move into archives: 2, 2.0 KiB
  state.db is smaller by 1.0 KiB.
  Saved work: 1 ref refs/svc/kept/….

Needs your attention (1):
  /m/shop.git
    it contains work that was saved from checkouts
`,
  );
  assert.equal(
    runner.seen.map(({ method, path }) => `${method} ${path}`),
    ['GET /gc'],
  );
  assert.match((await line.run(GcCommand, ['--last', '--dry-run'])).err, /--dry-run/);
});

test('an age that is none is refused before anything is asked', async ({ line, runner }) => {
  assert.match(
    (await line.run(GcCommand, ['--older-than', 'soon'])).err,
    /"soon" is not a duration/,
  );
  assert.equal(runner.seen, []);
});

test.run();
