import { under } from '../figure.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { MANY_JOBS, parkedHomes, SOME_JOBS } from '../parkedHomes.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { parkedId } from '../seedJobs.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
/** Events before each kill: the write-ahead log is not empty when it comes. */
const BEFORE_KILL = 200;

const message = (n: number) =>
  requestBytes('POST', `/jobs/${parkedId(n)}/message`, { message: 'please hurry' });
const resume = (n: number) =>
  requestBytes('POST', `/jobs/${parkedId(n)}/resume`, { eventKey: 'manual-resume' });

/** From the start after a `kill -9` until a parked job's event is answered, s, in each round. */
async function restarts(program: string, home: string, jobs: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const runner = await RunnerUnderTest.start(program, home);
    const connection = await HttpConnection.open(runner.port);
    await connection.ask(resume(Math.floor((jobs / (ROUNDS + 1)) * round)));
    const answerSeconds = (performance.now() - runner.spawnedAt) / 1_000;
    // The first start follows no kill.
    if (round > 0) seconds.push(answerSeconds);
    for (let n = 1; n <= BEFORE_KILL; n++) await connection.ask(message(jobs - n));
    connection.close();
    await runner.end('SIGKILL');
  }
  return seconds;
}

/** `kill -9` and start again, of the bundled runner. */
export const restartRow: Row = {
  figures: ['restart.10k', 'restart.100k'],
  async measure(lab) {
    const { some, many } = await parkedHomes(lab);
    const program = await lab.program();
    const withSome = await restarts(program, some, SOME_JOBS);
    const withMany = await restarts(program, many, MANY_JOBS);
    return {
      'restart.10k': under({ value: median(withSome), unit: 's', target: 0.6 }),
      'restart.100k': under({ value: median(withMany), unit: 's', target: 0.8 }),
    };
  },
};
