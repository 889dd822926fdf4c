import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ArchiveStep } from '../../../../src/kernel/sqlite/archive/segmentDeps.ts';
import { ArchiveStage, createLife } from '../../../support/archiveStage.ts';

const test = suite('archives: killed between any two steps');

/** The home as it was on the disk at each step. */
async function homes(
  stage: ArchiveStage,
  act: () => Promise<unknown>,
): Promise<{ step: ArchiveStep; home: string }[]> {
  const copies: { step: ArchiveStep; home: string }[] = [];
  stage.reached = (step) => void copies.push({ step, home: stage.copy() });
  await act();
  stage.reached = () => {};
  return copies;
}

/** A job with two pages of each kind of rows, one of them large, and an earlier archive. */
async function createArchive(): Promise<ArchiveStage> {
  const stage = new ArchiveStage();
  stage.live('j', createLife(20));
  await stage.store.archiver.archive('j');
  const { events, frames } = createLife(1_200, 210);
  stage.live('j', { events: [{ type: 'big', text: 'y'.repeat(9_000) }, ...events], frames });
  return stage;
}

test('nothing is lost, and the next run ends what was begun', async () => {
  using stage = await createArchive();
  const before = stage.seen('j', 100);
  const killed = await homes(stage, () => stage.store.archiver.archive('j'));
  const steps = killed.map(({ step }) => step);
  assert.equal(
    [...new Set(steps)],
    ['begun', 'page', 'written', 'verified', 'published', 'recorded', 'clearing', 'cleared'],
  );
  assert.ok(steps.filter((step) => step === 'clearing').length >= 4, 'it is cleared in steps');
  const whole = stage.store.archiver.sizes();
  for (const { step, home } of killed) {
    const store = stage.open(home);
    assert.equal(stage.seen('j', 100, store), before, `after a kill at ${step}`);
    store.durable.claim();
    assert.ok('bytes' in (await store.archiver.archive('j')));
    assert.equal(stage.seen('j', 100, store), before, `${step}: archived again`);
    assert.equal(stage.files(home), ['j.1.ndjson.gz', 'j.2.ndjson.gz'], step);
    assert.equal(
      store.archiver.sizes().map(({ actor }) => actor),
      whole.map(({ actor }) => actor),
    );
    assert.equal(
      store.db.all('SELECT n FROM archives WHERE cleared = 0'),
      [],
      `${step}: it was cleared`,
    );
    store.close();
  }
});

test('archives that were to be removed are removed by the next run', async () => {
  using stage = await createArchive();
  await stage.store.archiver.archive('j');
  const killed = await homes(stage, () => stage.store.archiver.remove('j'));
  assert.equal(
    killed.map(({ step }) => step),
    ['dropped', 'removed', 'dropped', 'removed'],
  );
  const expected = stage.seen('j', 100);
  for (const { step, home } of killed) {
    const store = stage.open(home);
    await store.archiver.remove('j');
    assert.equal(stage.files(home), [], step);
    assert.equal(stage.seen('j', 100, store), expected, step);
    store.close();
  }
});

test('an archive that is damaged before its rows are cleared costs no row', async () => {
  using stage = await createArchive();
  const before = stage.seen('j', 100);
  const killed = await homes(stage, () => stage.store.archiver.archive('j'));
  const recorded = killed.find(({ step }) => step === 'recorded');
  assert.ok(recorded);
  const file = join(recorded.home, 'archive', 'j.2.ndjson.gz');
  assert.ok(existsSync(file));
  writeFileSync(file, '');
  const store = stage.open(recorded.home);
  await store.archiver.archive('j');
  assert.equal(stage.seen('j', 100, store), before);
  store.close();
});

test.run();
