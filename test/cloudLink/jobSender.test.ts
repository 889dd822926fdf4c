import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Frame, JobsPlace } from '../../src/contract/channel/frames.ts';
import { MAX_PART_BYTES, MAX_UNACKNOWLEDGED_JOBS } from '../../src/contract/channel/limits.ts';
import { JobSender, type JobSource } from '../../src/cloudLink/jobSender.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { JobFilter } from '../../src/contract/runner/runner.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { waitUntil } from '../support/cloud/testTeam.ts';

const test = suite('list of jobs for the control plane');

const START = Date.parse('2026-11-01T00:00:00.000Z');
const iso = (minute: number): string => new Date(START + minute * 60_000).toISOString();

const aJob = (n: number, more: Partial<JobSummary> = {}): JobSummary => ({
  id: `job-${String(n).padStart(6, '0')}`,
  type: 'job',
  status: 'complete',
  phase: 'code',
  workflowPath: 'workflows/a.md',
  parentJobId: null,
  parked: null,
  ended: true,
  needs: null,
  since: iso(n),
  reason: null,
  description: 'x'.repeat(500),
  repoSlug: null,
  createdAt: iso(n),
  updatedAt: iso(n),
  ...more,
});

/** The jobs of a runner. */
class Jobs implements JobSource {
  readonly all: JobSummary[];
  reads = 0;
  #watchers = new Set<(jobs: readonly JobSummary[]) => void>();

  constructor(count: number) {
    this.all = Array.from({ length: count }, (_, n) => aJob(n));
  }

  async jobs({ sort, is, limit, offset }: JobFilter) {
    this.reads += 1;
    const matches = is === undefined ? [...this.all] : this.all.filter(({ ended }) => !ended);
    if (sort === '-since') matches.sort((a, b) => b.since.localeCompare(a.since));
    return { jobs: matches.slice(offset, offset + limit), total: matches.length };
  }

  watchJobs(changed: (jobs: readonly JobSummary[]) => void) {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  change(n: number, more: Partial<JobSummary>): void {
    const next = { ...(this.all[n] ?? aJob(n)), ...more };
    this.all[n] = next;
    for (const changed of this.#watchers) changed([next]);
  }
}

/** A control plane that stores what it gets, and acknowledges as a test wants. */
class Cloud {
  readonly rows = new Map<string, JobSummary>();
  frames: Frame<'jobs'>[] = [];
  place: JobsPlace | null = null;
  largest = 0;

  readonly send = (frame: Frame<'jobs'>): void => void this.frames.push(frame);

  /** Stores the frames that have come, and acknowledges the last of them. */
  store(sender: JobSender): void {
    const frames = this.frames.splice(0);
    for (const frame of frames) {
      const body = frame.body ?? new Uint8Array();
      this.largest = Math.max(this.largest, body.length);
      const rows: JobSummary[] = JSON.parse(new TextDecoder().decode(body));
      if (frame.range) this.#remove(frame.range, new Set(rows.map(({ id }) => id)));
      for (const row of rows) this.rows.set(row.id, row);
      const { source, n, mark } = frame;
      this.place = { source, n, mark };
    }
    const last = frames.at(-1);
    if (last) sender.acknowledge({ source: last.source, n: last.n });
  }

  #remove({ after, before }: NonNullable<Frame<'jobs'>['range']>, idsToKeep: Set<string>): void {
    for (const { id, createdAt } of [...this.rows.values()]) {
      const isWithin =
        (after === null || createdAt > after) && (before === null || createdAt < before);
      if (isWithin && !idsToKeep.has(id)) this.rows.delete(id);
    }
  }
}

let sources = 0;
function openSender(
  jobs: Jobs,
  clock = new SimulatedClock(START + 1_000_000 * 60_000),
  readHead: () => number | null = () => null,
) {
  sources += 1;
  const errors: unknown[] = [];
  const sender = new JobSender({
    jobs,
    source: `s${sources}`,
    homeId: 'home',
    clock,
    readHead,
    onError: (error) => errors.push(error),
  });
  return { sender, clock, errors };
}

const ids = ({ rows }: Cloud): string[] => [...rows.keys()].sort();

async function syncAll(cloud: Cloud, sender: JobSender, count: number): Promise<void> {
  await waitUntil(() => {
    cloud.store(sender);
    return (
      cloud.rows.size === count &&
      cloud.place !== null &&
      JSON.parse(cloud.place.mark).next === null
    );
  });
}

test('the first time, the whole list is sent, a few frames ahead of what is acknowledged', async () => {
  const jobs = new Jobs(700);
  const cloud = new Cloud();
  const { sender } = openSender(jobs);
  sender.attach(cloud.send, null);
  await waitUntil(() => cloud.frames.length === MAX_UNACKNOWLEDGED_JOBS);
  const reads = jobs.reads;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.is(cloud.frames.length, MAX_UNACKNOWLEDGED_JOBS);
  assert.is(jobs.reads, reads);
  await syncAll(cloud, sender, 700);
  assert.equal(
    ids(cloud),
    jobs.all.map(({ id }) => id),
  );
  assert.ok(cloud.largest <= MAX_PART_BYTES);
  sender.close();
});

test('an empty list is sent too: what was known there no longer exists', async () => {
  const cloud = new Cloud();
  cloud.rows.set('old', aJob(1, { id: 'old' }));
  const { sender } = openSender(new Jobs(0));
  sender.attach(cloud.send, null);
  await syncAll(cloud, sender, 0);
  sender.close();
});

test('a change is sent once it has been collected, and only it', async () => {
  const jobs = new Jobs(3);
  const cloud = new Cloud();
  const { sender, clock } = openSender(jobs);
  sender.attach(cloud.send, null);
  await syncAll(cloud, sender, 3);
  jobs.change(1, { status: 'working' });
  jobs.change(1, { status: 'failed' });
  clock.advance(100);
  assert.is(cloud.frames.length, 1);
  cloud.store(sender);
  assert.is(cloud.rows.get(aJob(1).id)?.status, 'failed');
  sender.close();
});

test('each row says which entry of the log was the newest when it was read', async () => {
  const jobs = new Jobs(2);
  const cloud = new Cloud();
  let entry = 3;
  const { sender, clock } = openSender(jobs, undefined, () => entry);
  sender.attach(cloud.send, null);
  await waitUntil(() => cloud.frames.length > 0);
  assert.equal(cloud.frames[0]?.readAt, [3, 3]);
  await syncAll(cloud, sender, 2);
  jobs.change(0, { status: 'working' });
  entry = 4;
  jobs.change(1, { status: 'working' });
  entry = 5;
  clock.advance(100);
  assert.equal(cloud.frames[0]?.readAt, [3, 4]);
  sender.close();
});

test('what was not acknowledged is sent again on the next socket, the newest of each job', async () => {
  const jobs = new Jobs(3);
  const cloud = new Cloud();
  const { sender, clock } = openSender(jobs);
  sender.attach(cloud.send, null);
  await syncAll(cloud, sender, 3);
  jobs.change(0, { status: 'first' });
  jobs.change(1, { status: 'first' });
  clock.advance(100);
  // Lost with the socket.
  cloud.frames = [];
  sender.detach();
  jobs.change(1, { status: 'second' });
  sender.attach(cloud.send, cloud.place);
  clock.advance(100);
  assert.is(cloud.frames.length, 1);
  cloud.store(sender);
  assert.equal(
    [0, 1].map((n) => cloud.rows.get(aJob(n).id)?.status),
    ['first', 'second'],
  );
  sender.close();
});

test('a runner that starts again sends what is open, and what ended since the mark', async () => {
  const jobs = new Jobs(400);
  const cloud = new Cloud();
  const before = openSender(jobs, new SimulatedClock(Date.parse(iso(399))));
  jobs.change(7, { ended: false, status: 'working', since: iso(7) });
  before.sender.attach(cloud.send, null);
  await syncAll(cloud, before.sender, 400);
  before.sender.close();
  // While it was down or not acknowledged: one ended, and an old one that is open has changed.
  jobs.all[9] = aJob(9, { status: 'failed', since: iso(399) });
  jobs.all[7] = aJob(7, { ended: false, status: 'waiting', since: iso(7) });
  cloud.rows.clear();
  const after = openSender(jobs);
  after.sender.attach(cloud.send, cloud.place);
  await waitUntil(() => {
    cloud.store(after.sender);
    return cloud.rows.has(aJob(9).id) && cloud.rows.has(aJob(7).id);
  });
  assert.is(cloud.rows.get(aJob(7).id)?.status, 'waiting');
  // Ten minutes of overlap, and not the whole list.
  assert.ok(cloud.rows.size < 60, `${cloud.rows.size} rows`);
  after.sender.close();
});

test('a whole list that was cut off is continued where it was', async () => {
  const jobs = new Jobs(1_000);
  const cloud = new Cloud();
  const before = openSender(jobs);
  before.sender.attach(cloud.send, null);
  await waitUntil(() => {
    cloud.store(before.sender);
    return cloud.rows.size >= 400;
  });
  before.sender.close();
  cloud.frames = [];
  const { next } = JSON.parse(cloud.place?.mark ?? '{}');
  assert.ok(next >= 400 && next < 1_000);
  const readBefore = jobs.reads;
  const after = openSender(jobs);
  after.sender.attach(cloud.send, cloud.place);
  await syncAll(cloud, after.sender, 1_000);
  assert.ok(jobs.reads - readBefore < 20, `${jobs.reads - readBefore} reads`);
  after.sender.close();
});

test('the mark of another home counts for nothing: its rows are removed', async () => {
  const cloud = new Cloud();
  const restored = new Jobs(2);
  for (let n = 0; n < 5; n += 1) cloud.rows.set(aJob(n).id, aJob(n));
  cloud.place = {
    source: 'x',
    n: 9,
    mark: JSON.stringify({ home: 'other', next: null, at: START }),
  };
  const { sender } = openSender(restored);
  sender.attach(cloud.send, cloud.place);
  await waitUntil(() => {
    cloud.store(sender);
    return cloud.rows.size === 2;
  });
  sender.close();
});

test('a change while the list is sent is not undone by its older row', async () => {
  const jobs = new Jobs(120);
  const cloud = new Cloud();
  const { sender, clock } = openSender(jobs);
  sender.attach(cloud.send, null);
  await waitUntil(() => cloud.frames.length > 0);
  for (const n of [0, 60, 119]) jobs.change(n, { status: 'newer' });
  clock.advance(100);
  await waitUntil(() => {
    cloud.store(sender);
    clock.advance(100);
    return (
      cloud.rows.size === 120 &&
      [0, 60, 119].every((n) => cloud.rows.get(aJob(n).id)?.status === 'newer')
    );
  });
  sender.close();
});

test('many changes while there is no socket are read again instead of kept', async () => {
  const jobs = new Jobs(3_000);
  const cloud = new Cloud();
  const { sender, clock } = openSender(jobs, new SimulatedClock(START));
  sender.attach(cloud.send, null);
  await syncAll(cloud, sender, 3_000);
  sender.detach();
  clock.advance(60_000);
  for (let n = 0; n < 2_500; n += 1) jobs.change(n, { status: 'failed', since: iso(5_000) });
  sender.attach(cloud.send, cloud.place);
  await waitUntil(() => {
    cloud.store(sender);
    clock.advance(100);
    return [...cloud.rows.values()].filter(({ status }) => status === 'failed').length === 2_500;
  });
  sender.close();
});

test('a row that is too large is sent in short, and takes no other with it', async () => {
  const jobs = new Jobs(2);
  const cloud = new Cloud();
  const { sender } = openSender(jobs);
  jobs.change(0, {
    description: '\u{1f600}'.repeat(50_000),
    ending: {
      text: 'x',
      openPrs: Array.from({ length: 500 }, (_, n) => `local:shop#${n}`),
      mergedPrs: 0,
      closedPrs: 0,
    },
    broken: Array.from({ length: 500 }, () => ({
      table: 'actors',
      id: 'x'.repeat(2_000),
      reason: 'y',
    })),
  });
  sender.attach(cloud.send, null);
  await syncAll(cloud, sender, 2);
  assert.ok(cloud.largest <= MAX_PART_BYTES);
  sender.close();
});

test.run();
