import { atLeast } from '../figure.ts';
import { median } from '../statistics.ts';
import { wholeJobRate } from '../wholeJobs.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const JOBS = 700;

/** Whole jobs a second. */
export const wholeJobsRow: Row = {
  figures: ['jobs.whole'],
  async measure() {
    await wholeJobRate(200);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await wholeJobRate(JOBS));
    return { 'jobs.whole': atLeast({ value: median(rates), unit: '/s', target: 350 }) };
  },
};
