import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulateForge } from './remote/simulateForge.ts';
import { TRUTHS } from './remote/truths.ts';

const test = suite('simulation of a GitHub in a storm');

/** `npm run sim -- --forge 10000` goes further. */
const [EVENTS, JOBS, SEEDS] = [400, 8, 3];

test(`${TRUTHS.length} truths hold in ${SEEDS} storms of ${EVENTS} events with lost answers, refusals, hangs and crashes (EVT-1 EVT-2 RUN-4)`, async () => {
  const totals: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { broken, counts } = await simulateForge({ seed, events: EVENTS, jobs: JOBS });
    assert.equal(
      broken,
      [],
      `look at it with: npm run sim -- --forge ${EVENTS} --jobs ${JOBS} --seed ${seed}`,
    );
    for (const [name, n] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + n;
  }
  console.log(JSON.stringify(totals));
  for (const name of ['crashes', 'requests', 'writes', 'agents', 'jobs complete']) {
    assert.ok((totals[name] ?? 0) > SEEDS, `only ${totals[name]} ${name}: the storms prove little`);
  }
});

test('the same seed gives the same storm, so that a failure can be replayed', async () => {
  const reported = async () => {
    const lines: string[] = [];
    await simulateForge({ seed: 17, events: 60, jobs: 4, reported: (line) => lines.push(line) });
    return lines.join('\n');
  };
  assert.is(await reported(), await reported());
});

test('every truth occurs once, and is a sentence', () => {
  const sentences = TRUTHS.map(({ sentence }) => sentence);
  assert.equal([...new Set(sentences)], sentences);
  for (const sentence of sentences) assert.match(sentence, /^[a-z].*[^.]$/u);
});

test.run();
