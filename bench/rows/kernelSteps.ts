import { atLeast } from '../figure.ts';
import { HostProcess } from '../hostProcess.ts';
import type { EngineHostCalls } from '../hosts/engineHost.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 7;
const WORKFLOWS = 1_000;
/** Length of each of the two measures of B around a round, ms. */
const RAW_MS = 300;

/** The bare kernel against B: the raw rate of one-row commits on this disk in the same seconds. */
export const kernelStepsRow: Row = {
  figures: ['kernel.steps'],
  async measure(lab, note) {
    await using host = await HostProcess.start<EngineHostCalls>(lab, 'engineHost');
    // The first round pays for loading and compiling.
    await host.call('rawCommitRate', 100);
    await host.call('kernelStepRate', 300);
    const raw: number[] = [];
    const steps: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await host.call('rawCommitRate', RAW_MS);
      const rate = await host.call('kernelStepRate', WORKFLOWS);
      const base = (before + (await host.call('rawCommitRate', RAW_MS))) / 2;
      raw.push(base);
      steps.push(rate);
      ratios.push(rate / base);
    }
    note(`B (raw one-row commits, WAL, FULL): ${Math.round(median(raw))}/s`);
    return {
      'kernel.steps': atLeast({
        value: median(steps),
        unit: '/s',
        ratio: median(ratios),
        target: 1.6,
      }),
    };
  },
};
