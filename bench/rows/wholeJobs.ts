import { atLeast } from '../figure.ts';
import { HostProcess } from '../hostProcess.ts';
import type { EngineHostCalls } from '../hosts/engineHost.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 5;
const JOBS = 700;
const WARM_UP = 300;

export const wholeJobsRow: Row = {
  figures: ['jobs.whole'],
  async measure(lab) {
    await using host = await HostProcess.start<EngineHostCalls>(lab, 'engineHost');
    await host.call('wholeJobRate', WARM_UP);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await host.call('wholeJobRate', JOBS));
    return { 'jobs.whole': atLeast({ value: median(rates), unit: '/s', target: 350 }) };
  },
};
