import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { DoubleControlPlane } from '../../../support/cloud/doubleControlPlane.ts';
import { HomeStage } from '../../../support/cloud/homeStage.ts';
import { catchRefusal } from '../../../support/refusal.ts';

const test = suite('a home with a log, and programs of other versions');

const NEWER = [...MIGRATIONS, 'CREATE TABLE newer_things (id TEXT PRIMARY KEY NOT NULL) STRICT;'];

test('a newer program replays on the old schema, migrates, and jobs continue once a copy with the new one counts', async () => {
  const cloud = await DoubleControlPlane.open();
  const stage = new HomeStage(cloud.url);
  try {
    const older = await stage.open();
    await older.run();
    await older.order('a');
    older.kill();
    await stage.closing;
    stage.loseState();
    assert.is(cloud.home?.storeVersion, MIGRATIONS.length);

    stage.migrations = NEWER;
    const newer = await stage.open();
    await newer.run();
    assert.is(cloud.checkpoint?.storeVersion, NEWER.length);
    await newer.order('b');
    newer.kill();

    // The older program is refused with the version, whatever its disk has.
    stage.migrations = MIGRATIONS;
    const refused = await catchRefusal(() => stage.open());
    assert.equal([refused.code, refused.data.storeVersion], ['conflict', NEWER.length]);

    stage.migrations = NEWER;
    stage.loseState();
    const again = await stage.open();
    await again.run();
    assert.equal(again.orders, ['a', 'b']);
    assert.equal(again.store.db.all('SELECT id FROM newer_things'), []);
    await again.stop();
  } finally {
    await cloud.close();
    stage.remove();
  }
});

test('a program that was killed after its migration, before the copy, makes up for it', async () => {
  const cloud = await DoubleControlPlane.open();
  const stage = new HomeStage(cloud.url);
  try {
    const older = await stage.open();
    await older.run();
    await older.order('a');
    older.kill();
    stage.migrations = NEWER;
    // Killed before `prepare`.
    (await stage.open()).kill();
    assert.is(cloud.home?.storeVersion, MIGRATIONS.length);
    const again = await stage.open();
    await again.run();
    assert.is(cloud.home?.storeVersion, NEWER.length);
    assert.equal(again.orders, ['a']);
    await again.stop();
  } finally {
    await cloud.close();
    stage.remove();
  }
});

test.run();
