import { join } from 'node:path';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createCosts } from '../../src/jobs/views/reports/createCosts.ts';
import { under } from '../figure.ts';
import { longestBlock } from '../longestBlock.ts';
import { writeCalls } from '../pastCalls.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const CALLS = 100_000;
const CALLS_OF_JOB = 20;
const ROUNDS = 5;

/** The costs of 100,000 calls, each in an hour of its own: how long the runner is held up by them. */
export const costsRow: Row = {
  figures: ['costs.block', 'costs.all'],
  async measure(lab, note) {
    const file = join(lab.folder('costs'), 'state.db');
    const store = openStore({ file, pid: process.pid, now: Date.now() });
    try {
      writeCalls(store.db, { calls: CALLS, ofJob: CALLS_OF_JOB, now: Date.now() });
      const { costs } = createCosts({ reader: store.costs, rows: store.rows, prices: '' });
      const blocks: number[] = [];
      const all: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        for (const by of ['job', 'repository,model']) {
          const began = performance.now();
          blocks.push(await longestBlock(async () => costs({ by })));
          all.push(performance.now() - began);
        }
      note(`${CALLS} calls; longest blocks ${blocks.map((ms) => ms.toFixed(0)).join(', ')} ms`);
      return {
        'costs.block': under({ value: median(blocks), unit: 'ms', target: 10 }),
        'costs.all': under({ value: median(all), unit: 'ms', target: 100 }),
      };
    } finally {
      store.close();
    }
  },
};
