import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../../src/jobs/store/migrations/migrations.ts';
import type { OpenStore } from '../../../../src/jobs/store/openStore.ts';
import { Database } from '../../../../src/kernel/sqlite/database.ts';
import { readLogPosition, readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';
import { settleCheckpointCopy } from '../../../../src/kernel/sqlite/log/settleCheckpointCopy.ts';
import { compareStates } from '../../../support/log/compareStates.ts';
import { foldLog } from '../../../support/log/foldLog.ts';
import { startLoggedHome } from '../../../support/log/logStage.ts';
import { StandInCloud } from '../../../support/log/standInCloud.ts';
import { paidOrder, removeHome } from '../../../support/charts/orderStage.ts';

const test = suite('checkpoints of a home with a log');

/** As the runner makes one. */
async function copyCheckpoint(store: Pick<OpenStore, 'copyTo'>, file: string) {
  await store.copyTo(file);
  return settleCheckpointCopy(file);
}

test('a copy that is made while commits continue is the state at one entry, and the later entries make the newest', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  for (let n = 0; n < 40; n++) await paidOrder(home.kernel, `before-${n}`);
  // Large enough to be copied in several steps.
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      home.kernel.send(`before-${n}`, { type: 'grow', bytes: 60_000 }),
    ),
  );
  const file = join(home.dir, 'checkpoint.db');
  let isCopied = false;
  const copying = copyCheckpoint(home.store, file).finally(() => (isCopied = true));
  let during = 0;
  while (!isCopied) {
    await paidOrder(home.kernel, `during-${during++}`);
  }
  const checkpoint = await copying;
  for (let n = 0; n < 3; n++) await paidOrder(home.kernel, `after-${n}`);
  assert.ok(during > 0);
  assert.is(checkpoint.storeVersion, MIGRATIONS.length);
  assert.is(checkpoint.hash, cloud.entries[checkpoint.n - 1]?.hash);
  assert.is(statSync(file).mode & 0o777, 0o600);

  const folded = join(home.dir, 'folded.db');
  const at = await foldLog(folded, cloud.entries.slice(checkpoint.n), { checkpoint: file });
  assert.equal(at, { n: cloud.head.n, hash: cloud.head.hash });
  const db = new Database(folded);
  assert.equal(compareStates(home.store.db, db).differences, []);
  assert.equal(readLogPosition(db), at);
  db.close();
  home.close();
  removeHome(home.dir);
});

test('what waits for the control plane is in no checkpoint', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  await paidOrder(home.kernel, 'a');
  assert.is(readOutgoing(home.store.db).length, 1);
  const file = join(home.dir, 'checkpoint.db');
  await copyCheckpoint(home.store, file);
  const db = new Database(file);
  assert.equal(readOutgoing(db), []);
  db.close();
  home.close();
  removeHome(home.dir);
});

test('a state without a log is no checkpoint', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  home.store.log.end();
  const outcome = await copyCheckpoint(home.store, join(home.dir, 'checkpoint.db')).then(
    () => 'copied',
    (error) => String(error.code),
  );
  assert.is(outcome, 'store-failed');
  home.close();
  removeHome(home.dir);
});

test.run();
