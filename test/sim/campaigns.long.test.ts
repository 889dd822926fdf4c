import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AFTER_EVERY_COMMIT, AFTER_EVERY_STEP, AT_THE_END } from './campaigns/campaignTruths.ts';
import { simulateCampaign } from './campaigns/simulateCampaign.ts';

const test = suite('simulation of campaigns');

/** `npm run sim -- --campaigns 2000` goes further. */
const SEEDS = 20;

const truths = [...AFTER_EVERY_STEP, ...AFTER_EVERY_COMMIT, ...AT_THE_END].map(
  ({ sentence }) => sentence,
);

test(`${truths.length} truths hold in ${SEEDS} campaigns with crashes, failures and impatient people (SUB-2 SUB-4 SUB-7)`, async () => {
  const totals = {
    nodes: 0,
    commits: 0,
    crashes: 0,
    commands: 0,
    foreseen: 0,
    rounds: 0,
    halts: 0,
    reopened: 0,
  };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { broken, counts } = await simulateCampaign(seed);
    assert.equal(
      broken,
      [],
      `campaign ${seed}; look at it with: npm run sim -- --campaigns 1 --seed ${seed}`,
    );
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counts[name];
  }
  console.log(JSON.stringify(totals));
  const { halts, reopened, ...many } = totals;
  for (const [name, n] of Object.entries(many))
    assert.ok(n >= SEEDS * 0.8, `only ${n} ${name}: the storms prove little`);
  assert.ok(halts > 0 && reopened > 0, `${halts} halts, ${reopened} jobs continued`);
});

test('the same seed gives the same campaign, so that a failure can be replayed', async () => {
  const collectReport = async () => {
    const lines: string[] = [];
    await simulateCampaign(7, (line) => lines.push(line));
    return lines.join('\n');
  };
  assert.is(await collectReport(), await collectReport());
});

test('every truth occurs once, and is a sentence', () => {
  assert.equal([...new Set(truths)], truths);
  for (const sentence of truths) assert.match(sentence, /^[a-z].*[^.]$/u);
});

test.run();
