import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulateForge } from './remote/simulateForge.ts';
import { TRUTHS } from './remote/truths.ts';

const test = suite('simulation of forges in a storm');

/** `npm run test:forges` goes further. */
const STORMS = [
  { forge: 'github', seed: 1, events: 400, jobs: 8 },
  { forge: 'github', seed: 2, events: 300, jobs: 8 },
  { forge: 'gitlab', seed: 3, events: 200, jobs: 6 },
  { forge: 'bitbucket', seed: 4, events: 150, jobs: 6 },
] as const;

for (const forge of ['github', 'gitlab', 'bitbucket'] as const)
  test(`${TRUTHS.length} truths hold at ${forge} in a storm of events with lost answers, refusals, hangs and crashes (EVT-1 EVT-2 RUN-4)`, async () => {
    const totals: Record<string, number> = {};
    for (const storm of STORMS.filter((one) => one.forge === forge)) {
      const { events, jobs, seed } = storm;
      const { broken, counts } = await simulateForge(storm);
      const replay = `npm run sim -- --forge ${events} --at ${forge} --jobs ${jobs} --seed ${seed}`;
      assert.equal(broken, [], `look at it with: ${replay}`);
      for (const [name, n] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + n;
    }
    console.log(JSON.stringify({ forge, ...totals }));
    for (const name of ['crashes', 'requests', 'writes', 'agents', 'jobs complete'])
      assert.ok((totals[name] ?? 0) > 0, `no ${name}: the storm proves little`);
  });

test('the same seed gives the same storm, so that a failure can be replayed', async () => {
  const collectReport = async () => {
    const lines: string[] = [];
    await simulateForge({
      forge: 'github',
      seed: 17,
      events: 60,
      jobs: 4,
      reported: (line) => lines.push(line),
    });
    return lines.join('\n');
  };
  assert.is(await collectReport(), await collectReport());
});

test('every truth occurs once, and is a sentence', () => {
  const sentences = TRUTHS.map(({ sentence }) => sentence);
  assert.equal([...new Set(sentences)], sentences);
  for (const sentence of sentences) assert.match(sentence, /^[a-z].*[^.]$/u);
});

test.run();
