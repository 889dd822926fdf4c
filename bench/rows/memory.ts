import { under } from '../figure.ts';
import { MANY_JOBS, parkedHomes, SOME_JOBS } from '../parkedHomes.ts';
import type { Row } from './row.ts';

const MIB = 1024 * 1024;

export const memoryRow: Row = {
  figures: ['memory.heapPerJob', 'memory.growth'],
  async measure(lab, note) {
    const { empty, some, many } = (await parkedHomes(lab)).memory;
    const rss = [empty, some, many].map((memory) => Math.round(memory.rss / MIB));
    note(`RSS without jobs, with ${SOME_JOBS} and with ${MANY_JOBS}: ${rss.join(', ')} MiB`);
    return {
      'memory.heapPerJob': under({
        value: (many.heap - empty.heap) / MANY_JOBS / 1024,
        unit: 'KiB',
        target: 0.1,
      }),
      'memory.growth': under({ value: (many.rss - some.rss) / MIB, unit: 'MiB', target: 20 }),
    };
  },
};
