import { under } from '../figure.ts';
import { BENCH_TOKEN } from '../home.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { MANY_JOBS, parkedHomes, SOME_JOBS } from '../parkedHomes.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const REQUESTS = 21;

/** Milliseconds of a request for the metrics of a home, the median. */
async function scrape(program: string, home: string): Promise<number> {
  const runner = await RunnerUnderTest.start(program, home);
  const connection = await HttpConnection.open(runner.port);
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const start = performance.now();
    await connection.ask(
      requestBytes('GET', '/metrics', undefined, {
        Authorization: `Bearer ${BENCH_TOKEN}`,
        Accept: '*/*',
      }),
    );
    times.push(performance.now() - start);
  }
  connection.close();
  await runner.end('SIGTERM');
  return median(times);
}

/** What Prometheus waits for, with many parked jobs; nothing else is served meanwhile. */
export const metricsRow: Row = {
  figures: ['metrics.10k', 'metrics.100k'],
  async measure(lab, note) {
    const { some, many } = await parkedHomes(lab);
    const program = await lab.program();
    const withSome = await scrape(program, some);
    const withMany = await scrape(program, many);
    note(`metrics: ${SOME_JOBS} and ${MANY_JOBS} parked jobs, ${REQUESTS} requests each`);
    return {
      'metrics.10k': under({ value: withSome, unit: 'ms', target: 20 }),
      'metrics.100k': under({ value: withMany, unit: 'ms', target: 100 }),
    };
  },
};
