import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AFTER_EVERY_COMMIT, AT_THE_END, NOW_AND_THEN, WHILE_UP } from './invariants.ts';
import { MERGES } from './mergeTruths.ts';
import { MESSAGES } from './messageTruths.ts';
import { simulate } from './simulate.ts';
import { inLongLane } from '../support/longLane.ts';

const test = suite('simulation of the whole runner');

/** `npm run sim -- --seeds 10000` goes further. Among those of the long lane, jobs come to every end. */
const SEEDS = inLongLane ? 12 : 5;
const FIRST_SEED = 10;
const ENDS = ['cancelled', 'complete', 'escalated', 'failed'];

const truths = [
  ...AFTER_EVERY_COMMIT,
  ...MERGES,
  ...WHILE_UP,
  ...NOW_AND_THEN,
  ...AT_THE_END,
  ...MESSAGES,
].map(({ sentence }) => sentence);

test(`${truths.length} truths hold in ${SEEDS} storms of crashes, failures and impatient people (JOB-1 RUN-4 RUN-6)`, async () => {
  const counts = { commits: 0, crashes: 0, stops: 0, agents: 0, commands: 0, forward: 0 };
  const ends = new Set<string>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const simulated = await simulate({ seed });
    assert.equal(
      simulated.broken,
      [],
      `seed ${seed}; look at it with: npm run sim -- --seed ${seed}`,
    );
    for (const name of Object.keys(counts) as (keyof typeof counts)[])
      counts[name] += simulated.counts[name];
    for (const status of Object.keys(simulated.jobs)) ends.add(status);
  }
  console.log(JSON.stringify(counts));
  if (inLongLane) assert.equal([...ends].toSorted(), ENDS, 'jobs came to every end');
  else assert.ok(ends.has('complete'));
  for (const [name, n] of Object.entries(counts))
    assert.ok(n > SEEDS, `only ${n} ${name}: the storms prove little`);
});

test('the same seed gives the same run, so that a failure can be replayed', async () => {
  const collectReport = async () => {
    const lines: string[] = [];
    await simulate({ seed: 4711, reported: (line) => lines.push(line) });
    return lines.join('\n');
  };
  assert.is(await collectReport(), await collectReport());
});

test('every truth occurs once, and is a sentence', () => {
  assert.equal([...new Set(truths)], truths);
  for (const sentence of truths) assert.match(sentence, /^[a-z].*[^.]$/u);
});

test.run();
