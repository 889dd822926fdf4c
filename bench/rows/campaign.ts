import { atLeast, under } from '../figure.ts';
import { HostProcess } from '../hostProcess.ts';
import type { EngineHostCalls } from '../hosts/engineHost.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 3;
const SUB_RUNS = 1_000;
const PHASES = 6;
const WARM_UP = 150;
const READY_ROUNDS = 5;

/** The cost of a dispatcher: sub-runs against plain jobs, and its loop over ten times as many. */
export const campaignRow: Row = {
  figures: ['campaign.rate', 'campaign.ready'],
  async measure(lab, note) {
    await using host = await HostProcess.start<EngineHostCalls>(lab, 'engineHost');
    const rates: number[] = [];
    const ratios: number[] = [];
    for (const how of ['direct', 'sub-runs'] as const)
      await host.call('campaignRate', WARM_UP, PHASES, how);
    for (let round = 0; round < ROUNDS; round++) {
      const base = await host.call('campaignRate', SUB_RUNS, PHASES, 'direct');
      const rate = await host.call('campaignRate', SUB_RUNS, PHASES, 'sub-runs');
      rates.push(rate);
      ratios.push(rate / base);
    }
    const costs: number[] = [];
    const growths: number[] = [];
    for (let round = 0; round < READY_ROUNDS; round++) {
      const small = await host.call('readySetCost', 1_000);
      const large = await host.call('readySetCost', 10_000);
      costs.push(large);
      growths.push(large / small);
      if (round === 0) note(`the ready set of 1,000 sub-runs: ${Math.round(small)} ns an edge`);
    }
    return {
      'campaign.rate': atLeast({
        value: median(rates),
        unit: '/s',
        ratio: median(ratios),
        target: 0.6,
      }),
      'campaign.ready': under({
        value: median(costs),
        unit: 'ns',
        ratio: median(growths),
        target: 2,
      }),
    };
  },
};
