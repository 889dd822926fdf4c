import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { HomeRunner } from '../../../support/cloud/homeRunner.ts';
import { HomeStage } from '../../../support/cloud/homeStage.ts';
import { defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';
import { startTeamNode } from '../../../support/cloud/testTeam.ts';

const test = suite('a copy of the state at an entry that has one already');
const dbTest = defineDatabaseTests(test);

const NEWER = [...MIGRATIONS, 'CREATE TABLE newer_things (id TEXT PRIMARY KEY NOT NULL) STRICT;'];

dbTest(
  'a newer program migrates and works after the clean stop of an older one (RUN-5)',
  async () => {
    const node = await startTeamNode({ takeover: { windowMs: 1_000, quietMs: 200 } });
    const runner = await HomeRunner.pair(node);
    const stage = new HomeStage(node.url, runner.homeId, runner.token);
    const readCheckpoint = async () => {
      const { body } = await runner.ask('GET', '/home');
      return body.checkpoint as { n: number; storeVersion: number };
    };
    try {
      const older = await stage.open();
      await older.run();
      await older.order('a');
      await older.stop();
      const { n, storeVersion } = await readCheckpoint();
      assert.is(storeVersion, MIGRATIONS.length);
      stage.migrations = NEWER;
      const newer = await stage.open();
      await newer.run();
      const replaced = await readCheckpoint();
      assert.equal([replaced.n, replaced.storeVersion], [n, NEWER.length]);
      const uploads = stage.lines.filter(([, text]) => text.endsWith('has a copy of the state'));
      assert.is(uploads.length, 2);
      await newer.stop();
      // The copy that replaced the other one is read as it was written.
      stage.loseState();
      const again = await stage.open();
      await again.run();
      assert.equal(again.orders, ['a']);
      assert.equal(again.store.db.all('SELECT id FROM newer_things'), []);
      await again.stop();
    } finally {
      await node.stop();
      stage.remove();
    }
  },
);

test.run();
