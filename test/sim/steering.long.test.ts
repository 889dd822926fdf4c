import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MESSAGES } from './messageTruths.ts';
import { simulate } from './simulate.ts';

const test = suite('simulation: agents that are talked to while they work');

/** `npm run sim -- --steering 10000` goes further. */
const SEEDS = 16;

test(`the ${MESSAGES.length} truths about messages, and all the others, hold in ${SEEDS} storms of messages, tools, interrupts and crashes (STR-1 STR-2 STR-3)`, async () => {
  const ways: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed++) {
    const simulated = await simulate({ seed, talkative: true });
    assert.equal(
      simulated.broken,
      [],
      `seed ${seed}; look at it with: npm run sim -- --steering 1 --seed ${seed}`,
    );
    for (const [way, n] of Object.entries(simulated.ways)) ways[way] = (ways[way] ?? 0) + n;
  }
  console.log(JSON.stringify(ways));
  for (const way of ['kickoff', 'folded', 'next-turn', 'interrupt']) {
    assert.ok(
      (ways[way] ?? 0) > SEEDS / 4,
      `only ${ways[way] ?? 0} messages were given by ${way}: the storms prove little`,
    );
  }
});

test.run();
