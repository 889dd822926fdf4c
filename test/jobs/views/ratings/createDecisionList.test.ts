import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Runner } from '../../../../src/contract/runner/runner.ts';
import { createDecisionLabels } from '../../../../src/jobs/commands/decisionLabels.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import type { DecisionsQuery } from '../../../../src/contract/schema/policy/decisionEntry.ts';
import { createDecisionList } from '../../../../src/jobs/views/ratings/createDecisionList.ts';
import { createTrackRecord } from '../../../../src/jobs/views/ratings/createTrackRecord.ts';
import { budgetStage } from '../../../policy/budgets/stage.ts';

const test = suite('records of the decision layer: list, labels, track record');

const HOUR = 3_600_000;

const ROW: Tables['decisions'] = {
  job_id: 'job-1',
  key: 'overseer/1/1',
  site: 'overseer',
  at: 0,
  phase: 'coding',
  visit: 1,
  mode: 'shadow',
  provider: 'rules',
  model: 'decider-1.13.0',
  digest_version: 1,
  digest_sha: 'a'.repeat(64),
  ms: 40,
  unmet: null,
  unmet_confidence: null,
  goal: 0.8,
  seriousness: 0,
  stuck: 0.1,
  raw: '{"goal":{"probability":0.8}}',
  skipped: null,
  flag: null,
  seen: null,
  pauses: 0,
};

const SKIPPED = { goal: null, seriousness: null, stuck: null, raw: null, skipped: 'Too late.' };

/** A store with these records, one after another, a minute apart. */
async function stage(...rows: Partial<Tables['decisions']>[]) {
  const world = await budgetStage();
  const { store, kernel, clock, writeRows } = world;
  const now = () => clock.now();
  for (const [n, row] of rows.entries()) {
    clock.advance(60_000);
    await writeRows([
      {
        op: 'put',
        table: 'decisions',
        row: { ...ROW, key: `overseer/${n + 1}/1`, visit: n + 1, at: now(), ...row },
      },
    ]);
  }
  const read = { reader: store.decisions, rows: store.rows, frames: store.frames, now };
  const list = createDecisionList(read);
  const present = () =>
    ({ mode: 'shadow', provider: 'rules', model: 'decider-1.13.0', digestVersion: 1 }) as const;
  const parts: Pick<Runner, 'decisions' | 'labelDecision' | 'trackRecord'> = {
    ...list,
    ...createDecisionLabels({
      kernel,
      rows: store.rows,
      now,
      screen: (text) => text.replaceAll('hunter2', '[secret]'),
      ...list,
    }),
    ...createTrackRecord({ ...read, present }),
  };
  return { ...world, ...parts };
}

const MIXED = [
  { goal: 0.695 },
  { goal: 0.694 },
  { goal: 0.394, flag: 'off track' },
  SKIPPED,
  { job_id: 'job-2', site: 'lane', goal: null, seriousness: null, stuck: null },
] as const;

for (const [query, keys] of [
  [{}, ['5', '4', '3', '2', '1']],
  [{ job: 'job-2' }, ['5']],
  [{ site: 'lane' }, ['5']],
  [{ verdict: 'on-track' }, ['1']],
  [{ verdict: 'needs-a-look' }, ['2']],
  [{ verdict: 'off-track' }, ['3']],
  [{ verdict: 'flagged' }, ['3']],
  [{ skipped: 'true' }, ['4']],
  [{ skipped: 'false' }, ['5', '3', '2', '1']],
  [{ since: '1m' }, ['5', '4']],
  [{ job: 'job-1', key: 'overseer/2/1' }, ['2']],
] as [DecisionsQuery, string[]][])
  test(`the list of ${JSON.stringify(query)} (OVR-6)`, async () => {
    const { decisions } = await stage(...MIXED);
    const { decisions: rows, total } = decisions(query);
    assert.equal([rows.map(({ visit }) => String(visit)), total], [keys, keys.length]);
  });

test('a page is a part of the list', async () => {
  const { decisions } = await stage(...MIXED);
  const { decisions: rows, total } = decisions({ limit: 2, offset: 1 });
  assert.equal([rows.map(({ visit }) => visit), total], [[4, 3], 5]);
});

test('a record has the answers as they came and as they count, the hash, the time and the reason of a skip', async () => {
  const { decisions } = await stage({}, SKIPPED);
  const [skip, rating] = decisions({}).decisions;
  assert.equal(rating?.raw, { goal: { probability: 0.8 } });
  assert.is(rating?.rating?.goal, 0.8);
  assert.equal([rating?.digest, rating?.ms], ['a'.repeat(64), 40]);
  assert.equal([skip?.skipped, skip?.rating, skip?.raw], ['Too late.', null, null]);
});

const RATED = { job: 'job-1', key: 'overseer/1/1' };

test('what a person says of the work is its outcome', async () => {
  const { labelDecision, decisions } = await stage({});
  await labelDecision(
    { ...RATED, verdict: 'bad', note: ' The tests were deleted. ' },
    { by: 'login' },
  );
  const [entry] = decisions({}).decisions;
  assert.equal(entry?.outcome, { verdict: 'bad', why: 'thumbs' });
  assert.equal(
    [entry?.label?.verdict, entry?.label?.note, entry?.label?.by],
    ['bad', 'The tests were deleted.', 'login'],
  );
});

test('saying something else replaces it, and null takes it back', async () => {
  const { labelDecision } = await stage({});
  await labelDecision({ ...RATED, verdict: 'bad', note: 'No.' }, { by: 'token' });
  const { label } = await labelDecision({ ...RATED, verdict: 'good' }, { by: 'token' });
  assert.equal([label?.verdict, label?.note], ['good', null]);
  const { label: none } = await labelDecision({ ...RATED, verdict: null }, { by: 'token' });
  assert.is(none, null);
});

test('a note is stored without known secrets', async () => {
  const { labelDecision } = await stage({});
  const { label } = await labelDecision(
    { ...RATED, verdict: 'bad', note: 'hunter2' },
    { by: 'token' },
  );
  assert.is(label?.note, '[secret]');
});

test('a rating that is not there cannot be labelled', async () => {
  const { labelDecision } = await stage({});
  try {
    await labelDecision({ job: 'job-1', key: 'overseer/9/1', verdict: 'good' }, { by: 'token' });
    assert.unreachable();
  } catch (error) {
    assert.is(Object(error).code, 'not-found');
  }
});

test('the track record tells models and forms of the digest apart, the present one first', async () => {
  const { trackRecord } = await stage({ model: 'older' }, { digest_version: 0 }, {}, {});
  const { ratedBy } = await trackRecord({});
  assert.equal(
    ratedBy.map(({ model, digestVersion, asked, current }) => [
      model,
      digestVersion,
      asked,
      current,
    ]),
    [
      ['decider-1.13.0', 1, 2, true],
      ['decider-1.13.0', 0, 1, false],
      ['older', 1, 1, false],
    ],
  );
});

test('a model that was never asked lacks everything (UI-5)', async () => {
  const { missing } = await (await stage({ model: 'older' })).trackRecord({});
  assert.is(missing.length, 3);
});

test('it lists what would have been paused, with how it turned out', async () => {
  const { trackRecord, labelDecision } = await stage({ flag: 'off track', goal: 0.1 }, {});
  await labelDecision({ ...RATED, verdict: 'good' }, { by: 'token' });
  const { pauses } = await trackRecord({});
  assert.equal(
    pauses.map(({ phase, paused, outcome }) => [phase, paused, outcome?.verdict]),
    [['coding', false, 'good']],
  );
});

test('it begins when it is asked to', async () => {
  const { trackRecord, clock } = await stage({}, {});
  clock.advance(HOUR);
  assert.is((await trackRecord({ since: '30m' })).of, 0);
});

test('more records than are read at once are all counted', async () => {
  const { trackRecord } = await stage(...Array.from({ length: 101 }, () => ({})));
  assert.is((await trackRecord({})).ratedBy[0]?.asked, 101);
});

test.run();
