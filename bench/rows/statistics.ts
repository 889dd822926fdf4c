import { join } from 'node:path';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createStatistics } from '../../src/jobs/views/reports/createStatistics.ts';
import { under } from '../figure.ts';
import { longestBlock } from '../longestBlock.ts';
import { writePastJobs } from '../pastJobs.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const JOBS = 20_000;
const ROUNDS = 5;

/** The statistics of 20,000 jobs of twenty states each: how long the runner is held up by them. */
export const statisticsRow: Row = {
  figures: ['statistics.block', 'statistics.all'],
  async measure(lab, note) {
    const file = join(lab.folder('statistics'), 'state.db');
    const now = Date.now();
    const written = openStore({ file, pid: process.pid, now });
    writePastJobs(written, JOBS, now);
    written.close();
    const blocks: number[] = [];
    const all: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Opened again: nothing of it is in the store's cache.
      const store = openStore({ file, pid: process.pid, now });
      const { statistics } = createStatistics({ reader: store.statistics, now: () => now });
      const began = performance.now();
      blocks.push(
        await longestBlock(async () => {
          const { jobs } = await statistics({});
          if (jobs !== JOBS) throw new Error(`${jobs} of ${JOBS} jobs are counted`);
        }),
      );
      all.push(performance.now() - began);
      store.close();
    }
    note(`${JOBS} jobs; longest blocks ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    return {
      'statistics.block': under({ value: median(blocks), unit: 'ms', target: 50 }),
      'statistics.all': under({ value: median(all), unit: 'ms', target: 2_000 }),
    };
  },
};
