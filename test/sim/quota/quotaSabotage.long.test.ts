import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toQuotaAccountId } from '../../../src/base/agents/credentialPool.ts';
import type { Batch } from '../../../src/kernel/writer.ts';
import { brokenBy, FAILING_TRUTHS, POOL_TRUTHS } from './quotaTruths.ts';
import { POOL, simulateQuota } from './simulateQuota.ts';

const test = suite('the simulation notices a wrong pool');

const ID = toQuotaAccountId(POOL);
const SEEDS = 3;

const MINUTE = 60_000;
const findLastTime = (journal: Batch['journal']): number =>
  Math.max(0, ...journal.map(({ at }) => at));

type Wrong = NonNullable<Parameters<typeof simulateQuota>[1]>;

const falsify = (change: (batch: Batch) => Partial<Batch>): Wrong => ({
  sabotage: (batch) => ({ ...batch, ...change(batch) }),
});

/** Every wait of the account ends within a minute. */
const SOON = falsify(({ timersSet, journal }) => ({
  timersSet: timersSet.map((timer) =>
    timer.actor === ID
      ? { ...timer, due: Math.min(timer.due, findLastTime(journal) + MINUTE) }
      : timer,
  ),
}));

const WRONG: [what: string, wrong: Wrong, sentence: string, truths?: typeof POOL_TRUTHS][] = [
  [
    'the account is not known, and the endpoint does not say for how long it refuses',
    { isKnown: false, namesReset: false },
    'each job meets the limit once at most',
  ],
  ['the key is refused', { isBroken: true }, 'no job fails'],
  [
    'the account whose key is refused is not known',
    { isBroken: true, isKnown: false },
    'four jobs fail before the account is seen to fail, and the others complete',
    FAILING_TRUTHS,
  ],
  [
    'a failing account is tried again every minute',
    { ...SOON, isBroken: true },
    'a failing account is tried now and then only',
    FAILING_TRUTHS,
  ],
  [
    'the account is not known, and each job waits by itself',
    { isKnown: false },
    'a probe goes first, and jobs follow in waves',
  ],
  [
    'the time of the reset is written down as a minute from now',
    SOON,
    'no session starts between the limit and its reset',
  ],
  [
    'the timer of the reset is not written down',
    falsify(({ timersSet }) => ({ timersSet: timersSet.filter(({ actor }) => actor !== ID) })),
    'every job moves within a minute of the reset',
  ],
  [
    'who waits for the account is not written down',
    falsify(({ rows }) => ({ rows: rows.filter(({ table }) => table !== 'quota_waits') })),
    'every job moves within a minute of the reset',
  ],
  [
    'that the account is at its limit is not written down',
    falsify(({ actors }) => ({
      actors: actors.filter(({ id, index }) => id !== ID || index.label === 'open'),
    })),
    'every job moves within a minute of the reset',
  ],
];

for (const [what, wrong, sentence, truths] of WRONG) {
  test(`${what}`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const broken = brokenBy(await simulateQuota(seed, wrong), truths);
      if (broken.length === 0) continue;
      assert.ok(broken.includes(sentence), broken.join('; '));
      return;
    }
    assert.unreachable('nothing was noticed');
  });
}

test('every truth has something wrong that it notices', () => {
  const noticed = new Set(WRONG.map(([, , sentence]) => sentence));
  const truths = [...POOL_TRUTHS, ...FAILING_TRUTHS].map(({ sentence }) => sentence);
  assert.equal(
    truths.filter((sentence) => !noticed.has(sentence)),
    [],
  );
});

test.run();
