import { calls, ENDLESS, goBack, type Kind } from './kind.ts';

/** Changes the files in each loop, and the same tests fail. */
export const SAME_TESTS: Kind = {
  does: 'same tests',
  jobs: [{ ...ENDLESS, name: 'same tests', account: 'alpha', at: 13, tokens: 20_000 }],
  jobRule: { rule: 'tests', warn: 2, park: 4 },
  async play(turn) {
    const { hands } = turn;
    await calls(turn, 1);
    turn.work();
    if (hands.phase !== 'checking') return;
    hands.own('shell', 'npm test', { answer: 'not ok', failing: ['a guest can log in'] });
    await goBack(turn, 'a test fails');
  },
};
