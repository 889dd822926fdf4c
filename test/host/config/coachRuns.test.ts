import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  COLLECT_MS,
  CoachRuns,
  type DispatchedJob,
  dropCountedKeys,
} from '../../../src/host/config/coachRuns.ts';
import { ConfigService } from '../../../src/host/config/configService.ts';
import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

const test = suite<{ home: string; file: string }>('count of jobs in the configuration');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-coach-'));
  context.file = join(context.home, 'config.json');
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const msAt = (minute: number): number => Date.UTC(2026, 0, 1, 12, minute);
const at = (minute: number): string => new Date(msAt(minute)).toISOString();

/**
 * A configuration and a counter over jobs that the test adds, newest first as the runner lists
 * them.
 */
function openCounter(home: string, jobs: DispatchedJob[]) {
  const sources = {
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
    hostName: 'ana-laptop',
  };
  let drafts = 0;
  const service = new ConfigService({ sources, createDraftName: () => `draft-${++drafts}` });
  const clock = new SimulatedClock();
  const errors: unknown[] = [];
  const list = (offset: number, limit: number) => jobs.slice(offset, offset + limit);
  const counter = new CoachRuns({
    service,
    clock,
    jobs: list,
    onError: (error) => errors.push(error),
  });
  const start = (minute: number, parent: string | null = null) =>
    jobs.unshift({ createdAt: msAt(minute), parent });
  return { service, clock, errors, counter, start };
}

const readCoachMode = async (file: string) => JSON.parse(await readFile(file, 'utf8')).coachMode;

test('each job counts once, however often it is listed; what other jobs start does not count (JOB-15)', async ({
  home,
  file,
}) => {
  const { counter, start } = openCounter(home, []);
  start(1);
  start(2, 'shop-job-1');
  start(3);
  await counter.settle();
  await counter.settle();
  assert.equal(await readCoachMode(file), { totalRuns: 2, lastRunAt: at(3) });
  start(4);
  await counter.settle();
  assert.equal(await readCoachMode(file), { totalRuns: 3, lastRunAt: at(4) });
});

test('jobs that a crash kept from being counted are counted by the next runner, and no others (JOB-15)', async ({
  home,
  file,
}) => {
  const jobs: DispatchedJob[] = [];
  const before = openCounter(home, jobs);
  before.start(1);
  await before.counter.settle();
  before.start(2);
  const after = openCounter(home, jobs);
  await after.counter.settle();
  assert.equal(await readCoachMode(file), { totalRuns: 2, lastRunAt: at(2) });
});

test('the rest of the file stays as a person wrote it (JOB-15)', async ({ home, file }) => {
  const text =
    '{\n  "tenant": { "displayName":   "mine" },\n  "runner": { "maxConcurrentJobs": 4 },\n  "coachMode": { "enabled": false, "totalRuns": 7 }\n}\n';
  await writeFile(file, text);
  const { counter, start } = openCounter(home, []);
  start(1);
  await counter.settle();
  const written = await readFile(file, 'utf8');
  assert.ok(
    written.startsWith(
      '{\n  "tenant": { "displayName":   "mine" },\n  "runner": { "maxConcurrentJobs": 4 },\n  "coachMode": {',
    ),
    written,
  );
  // What the number held before anybody noted a time is not added to.
  assert.match(written, /"enabled": false,[^}]*"totalRuns": 7,[^}]*"lastRunAt"/);
});

test('nothing waits: jobs that come together are collected, and written before the runner stops (JOB-15)', async ({
  home,
  file,
}) => {
  const { counter, clock, start } = openCounter(home, []);
  start(1);
  counter.jobCreated();
  start(2);
  counter.jobCreated();
  assert.is(await readFile(file, 'utf8').catch(() => 'none'), 'none');
  clock.advance(COLLECT_MS - 1);
  assert.is(await readFile(file, 'utf8').catch(() => 'none'), 'none');
  await counter.settle();
  assert.equal(await readCoachMode(file), { totalRuns: 2, lastRunAt: at(2) });
});

test('a busy runner writes the file at most once a minute (JOB-15)', async () => {
  const clock = new SimulatedClock();
  let reads = 0;
  const counter = new CoachRuns({
    service: {
      async read() {
        reads += 1;
        throw new Error('not in this test');
      },
      change: () => Promise.reject(new Error('not in this test')),
    },
    clock,
    jobs: () => [],
    onError: () => undefined,
  });
  for (let second = 0; second < 180; second += 1) {
    counter.jobCreated();
    clock.advance(1_000);
  }
  await counter.settle();
  assert.is(reads, 4);
});

test('an invalid file is left alone and reported; the jobs are counted when it is fixed (JOB-15)', async ({
  home,
  file,
}) => {
  await writeFile(file, '{ "runner": ');
  const { counter, errors, start } = openCounter(home, []);
  start(1);
  await counter.settle();
  assert.equal(await readFile(file, 'utf8'), '{ "runner": ');
  assert.equal(errors.length, 1);
  assert.ok(errors[0] instanceof SvcError && errors[0].code === 'config-invalid');
  await writeFile(file, '{}');
  start(2);
  await counter.settle();
  assert.equal(await readCoachMode(file), { totalRuns: 2, lastRunAt: at(2) });
});

test('a concurrent change is not lost, and the jobs are counted on top of it (JOB-15)', async ({
  home,
  file,
}) => {
  const { service, start, clock } = openCounter(home, []);
  start(1);
  let meddled = false;
  const meddling = {
    async read() {
      const state = await service.read();
      if (!meddled) await service.change({ runner: { maxConcurrentJobs: 3 } }, state.etag);
      meddled = true;
      return state;
    },
    change: service.change.bind(service),
  };
  const counter = new CoachRuns({
    service: meddling,
    clock,
    jobs: () => [{ createdAt: msAt(1), parent: null }],
    onError: assert.unreachable,
  });
  await counter.settle();
  assert.equal(JSON.parse(await readFile(file, 'utf8')), {
    runner: { maxConcurrentJobs: 3 },
    coachMode: { totalRuns: 1, lastRunAt: at(1) },
  });
});

test('what the runner keeps itself needs no restart (JOB-15)', async ({ home }) => {
  const sources = {
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
    hostName: 'ana-laptop',
  };
  const { config: started } = await loadSettings(sources);
  const service = new ConfigService({ sources, createDraftName: () => 'draft', started });
  const { reply } = await service.change(
    { coachMode: { totalRuns: 4, lastRunAt: at(1), graduateAfterRuns: 6 } },
    '*',
  );
  assert.equal(reply.restart, []);
});

test('the count alone is no change that people are notified of', async ({ home }) => {
  const sources = {
    env: { SVC_HOME: home },
    homeDir: '/home/ana',
    flags: {},
    packageRoot,
    hostName: 'ana-laptop',
  };
  const { config: started } = await loadSettings(sources);
  const changes: string[][] = [];
  const service = new ConfigService({
    sources,
    createDraftName: () => 'draft',
    started,
    isLive: true,
    onConfig: async (_config, { live }) => void changes.push(dropCountedKeys(live)),
  });
  await service.read();
  await service.change({ coachMode: { totalRuns: 4, lastRunAt: at(1) } }, '*');
  await service.change({ coachMode: { totalRuns: 5 }, runner: { maxConcurrentJobs: 3 } }, '*');
  assert.equal(changes.slice(-2), [[], ['runner.maxConcurrentJobs']]);
});

test.run();
