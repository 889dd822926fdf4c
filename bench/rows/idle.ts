import { setTimeout as wait } from 'node:timers/promises';
import { under } from '../figure.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 7;
/** From the first answer until the memory is read, ms. */
const IDLE_MS = 700;

/**
 * The bundled runner as `svc start` begins it: how long until it answers, and what it takes when
 * nothing is to be done.
 */
export const idleRow: Row = {
  figures: ['idle.rss', 'idle.start'],
  async measure(lab) {
    const program = await lab.program();
    const home = lab.folder('idle');
    const seconds: number[] = [];
    const rss: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const runner = await RunnerUnderTest.start(program, home);
      const connection = await HttpConnection.open(runner.port);
      await connection.ask(requestBytes('GET', '/health'));
      const answerSeconds = (performance.now() - runner.spawnedAt) / 1_000;
      connection.close();
      await wait(IDLE_MS);
      // The first start makes the home.
      if (round > 0) {
        seconds.push(answerSeconds);
        rss.push(runner.rss());
      }
      await runner.end('SIGTERM');
    }
    return {
      'idle.rss': under({ value: median(rss), unit: 'MiB', target: 100 }),
      'idle.start': under({ value: median(seconds), unit: 's', target: 0.4 }),
    };
  },
};
