import { calls, ENDLESS, type Kind } from './kind.ts';

const PARTS = ['left', 'middle', 'right'];

/** Registers sub-runs that work side by side. */
export const FAN_OUT: Kind = {
  does: 'fan out',
  jobs: [
    {
      ...ENDLESS,
      name: 'fan out',
      account: 'beta',
      at: 1,
      budget: { campaign: { usd: 4 } },
      fansOut: true,
      ends: true,
    },
  ],
  async play(turn) {
    await calls(turn, 1);
    const { hands } = turn;
    if (hands.phase !== 'planning') return;
    for (const name of PARTS)
      await hands.tool('register_sub_run', { name, description: `does the ${name} part` });
    await hands.tool('finalize_sub_runs');
  },
};
