import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Figure, under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { millionHome } from '../millionHome.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

/** Starts of each home, in turn. */
const ROUNDS = 5;
const REQUESTS = 21;
/** From the first answer until the memory is read, ms. */
const IDLE_MS = 2_000;
/** Longest that the metrics keep what they have read of the store, ms. */
const FRESH_MS = 5_100;

const NEEDING = 'subRuns=needing';
/** The first requests of dashboard and command line: filters, counts, sorts. */
const PAGES: readonly string[] = [
  '/jobs?limit=50',
  `/jobs?limit=50&${NEEDING}`,
  '/jobs?limit=50&needs=me',
  `/jobs?limit=50&${NEEDING}&is=needs-you&sort=since`,
  `/jobs?limit=50&${NEEDING}&is=waiting`,
  `/jobs?limit=50&${NEEDING}&is=working`,
  `/jobs?limit=50&${NEEDING}&repo=repository-7&sort=title`,
  '/jobs?limit=50&status=doing-1',
  ...['created', 'since', '-since', 'title', '-title', 'status', 'repo', 'phase', 'workflow'].map(
    (sort) => `/jobs?limit=50&${NEEDING}&sort=${sort}`,
  ),
  `/jobs/counts?${NEEDING}`,
  `/jobs/counts?${NEEDING}&repo=repository-7`,
  '/health',
];
/** These read a row of every job, in slices: they are reported, not checked. */
const READING_ALL = [
  '/jobs?limit=50&q=order',
  '/jobs?limit=50&q=nothing-has-this',
  '/jobs/counts?q=order',
  '/insights?limit=50',
  '/insights?limit=50&q=nothing-has-this',
  '/statistics?days=7',
];
/** A request that others must not hold up is made this often while they run, ms. */
const BESIDE_MS = 20;

async function timed(connection: HttpConnection, request: Buffer): Promise<number> {
  const start = performance.now();
  await connection.ask(request);
  return performance.now() - start;
}

/** Seconds from the start of the process to its first answer, and MiB when it is idle. */
async function startProgram(
  program: string,
  home: string,
): Promise<{ seconds: number; rss: number }> {
  const runner = await RunnerUnderTest.start(program, home);
  const connection = await HttpConnection.open(runner.port);
  await connection.ask(requestBytes('GET', '/health'));
  const seconds = (performance.now() - runner.spawnedAt) / 1_000;
  connection.close();
  await wait(IDLE_MS);
  const rss = runner.rss();
  await runner.end('SIGTERM');
  return { seconds, rss };
}

/** How long a request takes, and how long GET /health has to wait meanwhile at most. */
async function beside(runner: RunnerUnderTest, request: Buffer, name: string): Promise<string> {
  const [one, other] = [
    await HttpConnection.open(runner.port),
    await HttpConnection.open(runner.port),
  ];
  let isOver = false;
  const taking = timed(one, request).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    longest = Math.max(longest, await timed(other, requestBytes('GET', '/health')));
    await wait(BESIDE_MS);
  }
  const ms = await taking;
  one.close();
  other.close();
  return `${name}: ${ms.toFixed(0)} ms; meanwhile GET /health takes up to ${longest.toFixed(0)} ms`;
}

async function answers(
  program: string,
  home: string,
  note: (line: string) => void,
): Promise<{ page: number; wake: number; metrics: number }> {
  const runner = await RunnerUnderTest.start(program, home);
  const connection = await HttpConnection.open(runner.port);
  let page = 0;
  for (const path of PAGES) {
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++)
      times.push(await timed(connection, requestBytes('GET', path)));
    note(`${path}: p50 ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)}`);
    page = Math.max(page, median(times));
  }
  connection.close();
  for (const path of READING_ALL) note(await beside(runner, requestBytes('GET', path), path));
  note(await beside(runner, requestBytes('POST', '/gc', { dryRun: true }), 'gc --dry-run'));
  const doctor = performance.now();
  const env = { ...process.env, SVC_HOME: home, NO_COLOR: '1' };
  await promisify(execFile)(process.execPath, [program, 'doctor'], { env }).catch(() => undefined);
  note(`svc doctor beside the runner: ${((performance.now() - doctor) / 1_000).toFixed(1)} s`);
  const asking = await HttpConnection.open(runner.port);
  const jobs = JSON.parse(await asking.ask(requestBytes('GET', '/jobs?limit=50&needs=decide'))) as {
    id: string;
  }[];
  const wakes: number[] = [];
  for (const { id } of jobs)
    wakes.push(
      await timed(
        asking,
        requestBytes('POST', `/jobs/${id}/resume`, { eventKey: 'approve' }),
      ).catch(() => Number.NaN),
    );
  asking.close();
  const token = readFileSync(join(home, 'metrics.token'), 'utf8').trim();
  const headers = { Authorization: `Bearer ${token}`, Accept: '*/*' };
  const scrapes: number[] = [];
  for (let n = 0; n < 3; n++) {
    await wait(FRESH_MS);
    // A connection of its own: the runner closes one that is idle for so long.
    const scraping = await HttpConnection.open(runner.port);
    scrapes.push(await timed(scraping, requestBytes('GET', '/metrics', undefined, headers)));
    scraping.close();
  }
  await runner.end('SIGTERM');
  return {
    page,
    wake: median(wakes.filter((ms) => !Number.isNaN(ms))),
    metrics: median(scrapes),
  };
}

/**
 * A home with very many jobs that wait; made for this row alone, which takes minutes. `folder`:
 * where it stays, and is used again where it was made before.
 */
export const millionRow = (parked: number, folder?: string): Row => ({
  byHand: true,
  figures: ['million.start', 'million.memory', 'million.page', 'million.wake', 'million.metrics'],
  async measure(lab, note): Promise<Record<string, Figure>> {
    const program = await lab.program();
    const empty = lab.folder('none');
    writeHome(empty);
    const isMade = folder !== undefined && existsSync(join(folder, 'state.db'));
    const home = isMade ? folder : await millionHome(lab, parked, note, folder);
    const without: { rss: number }[] = [];
    const withThem: { seconds: number; rss: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const none = await startProgram(program, empty);
      const all = await startProgram(program, home);
      if (round === 0) continue;
      without.push(none);
      withThem.push(all);
    }
    const rss = (of: { rss: number }[]) => median(of.map((one) => one.rss));
    const { page, wake, metrics } = await answers(program, home, note);
    return {
      'million.start': under({
        value: median(withThem.map(({ seconds }) => seconds)),
        unit: 's',
        target: 2,
        promised: true,
      }),
      'million.memory': under({ value: rss(withThem) - rss(without), unit: 'MiB', target: 20 }),
      // Both have absolute targets, and are measured only on request.
      'million.page': under({ value: page, unit: 'ms', target: 50, promised: true }),
      'million.wake': under({ value: wake, unit: 'ms', target: 20 }),
      'million.metrics': under({ value: metrics, unit: 'ms', target: 50 }),
    };
  },
});
