import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { under } from '../figure.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { writeCalls } from '../pastCalls.ts';
import { writePastJobs } from '../pastJobs.ts';
import { median, percentile } from '../statistics.ts';
import type { Row } from './row.ts';

/** More jobs make more slices, not larger ones. */
const JOBS = 20_000;
const CALLS = 100_000;
const CALLS_OF_JOB = 20;
const ROUNDS = 5;
const ROUND_MS = 3_000;
/** Pause between two questions, ms. */
const APART_MS = 2;
const WARM_UP = 300;

const HEALTH = requestBytes('GET', '/health');
const REPORTS = {
  'reports.costs': '/costs?by=job',
  'reports.statistics': '/statistics?days=30',
} as const;

/** The 99th percentile of what /health takes until `isOver`, ms. */
async function healthP99(connection: HttpConnection, isOver: () => boolean): Promise<number> {
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    await connection.ask(HEALTH);
    times.push(performance.now() - start);
    await wait(APART_MS);
  }
  return percentile(times, 99);
}

/** How long others wait while a report is read again and again, beside an idle runner. */
export const reportsRow: Row = {
  figures: Object.keys(REPORTS),
  async measure(lab, note) {
    const home = lab.folder('reports');
    writeHome(home);
    const now = Date.now();
    const store = openStore({ file: `${home}/state.db`, pid: process.pid, now });
    writePastJobs(store, JOBS, now);
    writeCalls(store.db, { calls: CALLS, ofJob: CALLS_OF_JOB, now });
    store.close();
    await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home, 'instant');
    const port = await host.call('port');
    const [health, reader] = await Promise.all([
      HttpConnection.open(port),
      HttpConnection.open(port),
    ]);
    for (let n = 0; n < WARM_UP; n++) await health.ask(HEALTH);
    const rounds: { figure: string; p99: number; ratio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const idleEnd = performance.now() + ROUND_MS;
      const idle = await healthP99(health, () => performance.now() >= idleEnd);
      for (const [figure, path] of Object.entries(REPORTS)) {
        const end = performance.now() + ROUND_MS;
        let isOver = false;
        const reading = (async () => {
          while (performance.now() < end) await reader.ask(requestBytes('GET', path));
          isOver = true;
        })();
        const [p99] = await Promise.all([healthP99(health, () => isOver), reading]);
        rounds.push({ figure, p99, ratio: p99 / idle });
      }
      note(`idle /health p99 ${idle.toFixed(2)} ms`);
    }
    health.close();
    reader.close();
    return Object.fromEntries(
      Object.keys(REPORTS).map((name) => {
        const own = rounds.filter(({ figure }) => figure === name);
        const value = median(own.map(({ p99 }) => p99));
        const ratio = median(own.map((round) => round.ratio));
        return [name, under({ value, unit: 'ms', ratio, target: 3 })];
      }),
    );
  },
};
