import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JobFolderStep } from '../../../../src/jobs/workspace/cleanup/jobFolder.ts';
import type { GcReply } from '../../../../src/contract/schema/runner/gc.ts';
import { CleanupStage, NOW } from '../../../support/cleanupStage.ts';
import { git } from '../../../support/gitRepository.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite('runner gc');

const OLD = { ended: true, days: 20 };
const KEPT = ['old-job-1 files committed.txt+new.txt', 'old-job-1 heads/topic committed.txt'];

const reasons = ({ left }: GcReply): string[] =>
  left.map(({ path, reason }) => `${path.split('/').slice(-1)[0]}: ${reason}`).sort();
const names = ({ removed }: GcReply): string[] =>
  removed.map(({ path }) => path.split('/').slice(-2).join('/')).sort();

test('folders of jobs that ended long enough ago are removed, after their work is in the repository', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  await stage.job('young-job-2', { ended: true, days: 3 });
  await stage.job('live-job-3', { ended: false, days: 100 });
  const planned = await stage.collect({ dryRun: true });
  assert.equal(stage.kept(), [], 'a dry run changes nothing');
  assert.equal(
    existsSync(stage.path('old-job-1', 'shop', 'new.txt')),
    true,
    'a dry run changes nothing',
  );
  const result = await stage.collect();
  const folders = [
    '_intelligence',
    '_intelligence.hash',
    '_sessions',
    'contracts',
    'home',
    'shop',
    'tmp',
  ].map((name) => `old-job-1/${name}`);
  for (const reply of [planned, result]) {
    assert.equal(names(reply), folders);
    assert.equal(
      reply.kept.map(({ jobId, what, repository }) => [jobId, what, repository]),
      [
        ['old-job-1', 'branch topic', stage.repo.path],
        ['old-job-1', 'files', stage.repo.path],
      ],
    );
    assert.equal(reply.left, []);
    assert.equal(reply.inUse, 2);
    assert.equal(reply.next, null);
  }
  assert.equal(planned.kept, result.kept, 'the plan names the very refs');
  assert.equal(stage.kept().sort(), KEPT);
  assert.equal(readdirSync(stage.workingDir).sort(), ['live-job-3', 'young-job-2']);
  const again = await stage.collect();
  assert.equal(again.removed, []);
  assert.equal(again.kept, []);
  assert.equal(again.left, []);
  assert.equal(
    names(await stage.collect({ olderThanMs: 0 })).length,
    7,
    'the young one goes when it is asked for',
  );
});

test('a checkout is torn down while it exists, and released when it is gone; a dry run does neither', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  const torn: [string, boolean][] = [];
  stage.tornDown = (id) => torn.push([id, existsSync(stage.path(id, 'shop', 'new.txt'))]);
  await stage.collect({ dryRun: true });
  assert.equal([torn, stage.released], [[], []]);
  await stage.collect();
  assert.equal([torn, stage.released], [[['old-job-1', true]], ['old-job-1']]);
});

test('killed between any two steps, nothing is lost, and the next cleanup finishes it', async () => {
  const steps: JobFolderStep[] = ['saved', 'aside', 'saved-again', 'gone', 'removed'];
  for (const [n, step] of steps.entries()) {
    using stage = new CleanupStage();
    await stage.job('old-job-1', OLD);
    let checkoutReached = false;
    stage.reached = (at) => {
      if (at === 'saved') checkoutReached = true;
      if (checkoutReached && at === step) throw new Error(`killed at ${step}`);
    };
    await stage.collect().then(
      () => assert.unreachable(step),
      (error: Error) => assert.is(error.message, `killed at ${step}`),
    );
    const inWork = readdirSync(stage.path('old-job-1')).some((name) =>
      existsSync(stage.path('old-job-1', name, 'new.txt')),
    );
    assert.ok(stage.kept().length === 2 && (inWork || n >= 3), step);
    stage.reached = () => {};
    const { left } = await stage.collect();
    assert.equal(left, [], step);
    assert.equal(stage.kept().sort(), KEPT, step);
    assert.equal(existsSync(stage.path('old-job-1')), false, step);
  }
});

test('files written while the cleanup runs are kept as well', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  stage.reached = (step) => {
    if (step === 'saved') stage.write(stage.path('old-job-1', 'shop', 'late.txt'), 'late');
  };
  await stage.collect();
  assert.ok(stage.kept().includes('old-job-1 files committed.txt+late.txt+new.txt'));
});

test('a job that is rerun meanwhile keeps its checkout', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  stage.reached = (step) => {
    if (step === 'saved') stage.jobs.set('old-job-1', { ended: false, days: 0 });
  };
  const reply = await stage.collect();
  assert.equal(reasons(reply), [
    'shop: the job was rerun meanwhile',
    'tmp: the job was rerun meanwhile',
  ]);
  assert.ok(existsSync(stage.path('old-job-1', 'shop', 'new.txt')));
});

test('what svc did not create, cannot read or cannot save stays, with the reason; links are not followed', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  const outside = join(stage.root, 'outside');
  mkdirSync(outside);
  stage.write(join(outside, 'precious.txt'), 'x');
  symlinkSync(outside, stage.path('old-job-1', '_sessions', 'link'));
  symlinkSync(outside, stage.path('linked-job-4'));
  mkdirSync(stage.path('somebodys'));
  stage.write(stage.path('old-job-1', 'notes.txt'), 'mine');
  mkdirSync(stage.path('old-job-1', 'tmp', 'clone'), { recursive: true });
  git(stage.path('old-job-1', 'tmp', 'clone'), ['init', '--quiet']);
  const reply = await stage.collect();
  assert.equal(reasons(reply), [
    'linked-job-4: it is not a folder',
    'notes.txt: svc did not create it',
    'somebodys: no job has this name',
    'tmp: it contains a git repository, and svc does not know whether its work is pushed: clone',
  ]);
  assert.equal(readdirSync(stage.path('old-job-1')).sort(), ['notes.txt', 'tmp']);
  assert.is(readFileSync(join(outside, 'precious.txt'), 'utf8'), 'x');
});

const MB = 1024 * 1024;

test('beyond a size the oldest folders go first, until the rest fits; what is in use counts and stays', async () => {
  using stage = new CleanupStage();
  for (const [id, days, ended] of [
    ['live-job-1', 9, false],
    ['ended-job-2', 3, true],
    ['ended-job-3', 5, true],
    ['ended-job-4', 1, true],
  ] as const) {
    stage.jobs.set(id, { ended, days });
    stage.write(stage.path(id, 'home', 'x'), 'x'.repeat(MB));
  }
  stage.retention = { ...stage.retention, checkouts: { afterDays: 14, maxMb: 2 } };
  const planned = await stage.collect({ dryRun: true });
  const result = await stage.collect();
  assert.equal(names(planned), ['ended-job-2/home', 'ended-job-3/home']);
  assert.equal(names(result), names(planned));
  assert.equal(result.inUse, 2);
  assert.equal(readdirSync(stage.workingDir).sort(), ['ended-job-4', 'live-job-1']);
});

test('with afterDays 0 no folder goes for its age, but for those that a request asks for', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', { ended: true, days: 3000 });
  stage.retention = { ...stage.retention, checkouts: { afterDays: 0, maxMb: 0 } };
  const none = await stage.collect();
  assert.equal([none.removed, none.endedBefore], [[], null]);
  assert.equal(names(await stage.collect({ olderThanMs: 86_400_000 })).length, 7);
});

test('without its repository on this disk a checkout stays', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  stage.repository = null;
  const reply = await stage.collect();
  assert.equal(reasons(reply), [
    'shop: its repository is no longer configured, so its work cannot be saved',
  ]);
  assert.equal(readdirSync(stage.path('old-job-1')).sort(), ['shop']);
});

test('folders without write permission are removed too', async () => {
  using stage = new CleanupStage();
  await stage.job('old-job-1', OLD);
  stage.write(stage.path('old-job-1', 'home', 'go', 'pkg', 'mod.go'), 'x');
  chmodSync(stage.path('old-job-1', 'home', 'go', 'pkg'), 0o500);
  await stage.collect();
  assert.is(existsSync(stage.path('old-job-1')), false);
});

test('temporary folders left by a killed runner are removed after a day, others’ do not', async () => {
  using stage = new CleanupStage();
  const old = [
    join(stage.tmpDir, 'svc-index-Ab12Cd'),
    join(stage.mirrorsDir, 'github/acme/.making-x1'),
  ];
  const stay = [
    join(stage.tmpDir, 'svc-index-Fresh1'),
    join(stage.tmpDir, 'svc-home'),
    join(stage.mirrorsDir, 'github/acme/shop.git'),
  ];
  for (const dir of [...old, ...stay]) mkdirSync(dir, { recursive: true });
  for (const dir of [...old, join(stage.tmpDir, 'svc-home')])
    utimesSync(dir, NOW / 1000 - 90_000, NOW / 1000 - 90_000);
  utimesSync(stay[0] ?? '', NOW / 1000, NOW / 1000);
  const planned = await stage.collect({ dryRun: true });
  const result = await stage.collect();
  assert.equal(
    planned.removed.map(({ path }) => path),
    old.toSorted(),
  );
  assert.equal(result.removed, planned.removed);
  assert.equal(
    [...old, ...stay].filter((dir) => existsSync(dir)),
    stay,
  );
});

test('a request ends in time and says where the next one continues; two at once are refused', async () => {
  using stage = new CleanupStage();
  for (const n of [1, 2, 3]) {
    mkdirSync(stage.path(`old-job-${n}`, '_sessions'), { recursive: true });
    stage.jobs.set(`old-job-${n}`, OLD);
  }
  stage.pace = 31_000;
  const first = await stage.collect();
  assert.equal(names(first), ['old-job-1/_sessions']);
  assert.ok(first.next);
  const second = await stage.collect({ after: first.next ?? '' });
  assert.equal(names(second), ['old-job-2/_sessions']);
  assert.ok(second.next);
  const third = await stage.collect({ after: second.next ?? '' });
  assert.equal(names(third), ['old-job-3/_sessions']);
  assert.is((await stage.collect({ after: third.next ?? '' })).next, null);
  const collector = stage.collector();
  const running = collector.collect({});
  assert.is((await catchRefusal(() => collector.collect({}))).code, 'not-possible-now');
  await running;
});

test.run();
