import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { inspectStore } from '../../../../src/kernel/sqlite/inspectStore.ts';
import { migrate } from '../../../../src/kernel/sqlite/migrate.ts';
import { readFileStanding } from '../../../../src/kernel/sqlite/log/fileStanding.ts';
import { readLogPosition, readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import { copyHome, newHomeFolder, startLoggedHome } from '../../../support/log/logStage.ts';
import { StandInCloud } from '../../../support/log/standInCloud.ts';
import { paidOrder, removeHome } from '../../../support/charts/orderStage.ts';

const test = suite('what a closed state says of its log');

test('after a kill it is read from file and write-ahead log, and the state can be opened at once', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  await paidOrder(home.kernel, 'a');
  home.log.hold();
  void home.kernel.send('a', { type: 'ship' });
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  const killed = copyHome(home.dir, join(home.dir, 'killed'));
  const file = join(killed, 'state.db');
  for (let time = 0; time < 3; time++) {
    const standing = readFileStanding(file);
    // No garbage is collected in between.
    const db = new Database(file);
    assert.equal(standing, {
      storeVersion: MIGRATIONS.length,
      generation: 1,
      position: readLogPosition(db),
      outgoing: readOutgoing(db),
    });
    assert.equal(
      standing?.outgoing.map(({ n }) => n),
      [2],
    );
    // As a kill leaves it: with its log.
    const again = copyHome(killed, join(home.dir, `killed-${time}`));
    db.close();
    copyHome(again, killed);
  }
  home.close();
  removeHome(home.dir);
});

test('after a kill in a transaction without a write-ahead log, what was not committed is taken back', async () => {
  const home = await startLoggedHome(new StandInCloud());
  await home.kernel.start();
  await paidOrder(home.kernel, 'a');
  home.close();
  const file = join(home.dir, 'state.db');
  const standing = readFileStanding(file);
  const writer = new DatabaseSync(file);
  // The journal counts without being synchronized, and has page 1 alone, as at the end of a clean stop.
  writer.exec('PRAGMA synchronous = OFF; BEGIN IMMEDIATE; PRAGMA user_version = 1');
  const killed = join(copyHome(home.dir, join(home.dir, 'killed')), 'state.db');
  const inspected = join(copyHome(home.dir, join(home.dir, 'inspected')), 'state.db');
  writer.exec('ROLLBACK');
  writer.close();
  assert.equal(readFileStanding(killed), standing);
  const condition = inspectStore(inspected);
  assert.equal(condition.held ? null : condition.problems, []);
  removeHome(home.dir);
});

test('a state without a log, of an older schema, and one that does not exist', () => {
  const dir = newHomeFolder();
  const file = join(dir, 'state.db');
  assert.is(readFileStanding(file), null);
  const db = new Database(file);
  migrate(db, MIGRATIONS.slice(0, 10));
  db.close();
  assert.equal(readFileStanding(file), {
    storeVersion: 10,
    generation: 0,
    position: null,
    outgoing: [],
  });
  removeHome(dir);
});

test.run();
