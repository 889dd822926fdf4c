import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareWithFold, startLoggedHome } from '../../../support/log/logStage.ts';
import { StandInCloud } from '../../../support/log/standInCloud.ts';
import { paidOrder, quiet, removeHome } from '../../../support/charts/orderStage.ts';
import { readOutgoing } from '../../../../src/kernel/sqlite/log/outgoing.ts';

const test = suite('commits of a home with a log');

const start = (id: string) => ({ chart: 'order', id, input: { id, price: 5 } });

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('a commit is answered when the log has it, and read at once', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  home.log.hold();
  let isAnswered = false;
  const submitted = home.kernel.submit({ starts: [start('a')] }).then(() => (isAnswered = true));
  await turns();
  assert.is(home.store.durable.actor('a')?.seq, 1);
  assert.is(isAnswered, false);
  home.log.arrive();
  await submitted;
  assert.equal(home.log.refused, []);
  home.close();
  removeHome(home.dir);
});

test('the entries alone make the same state, table by table', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  for (const id of ['a', 'b', 'c']) await paidOrder(home.kernel, id);
  await home.kernel.send('a', { type: 'ship' });
  await home.kernel.send('b', { type: 'tell', to: 'c' });
  await home.kernel.send('c', { type: 'grow', bytes: 20_000 });
  await quiet(home.kernel);
  const { differences, tables, rows } = await compareWithFold(home, cloud.entries);
  assert.equal(differences, []);
  assert.ok(tables > 40 && rows > 20, `${tables} tables, ${rows} rows`);
  home.close();
  removeHome(home.dir);
});

test('what the log has leaves the file with the next commit', async () => {
  const cloud = new StandInCloud();
  const home = await startLoggedHome(cloud);
  await home.kernel.start();
  await home.kernel.submit({ starts: [start('a')] });
  home.log.hold();
  void home.kernel.submit({ starts: [start('b')] });
  await turns();
  assert.equal(
    readOutgoing(home.store.db).map(({ n }) => n),
    [2],
  );
  home.log.release();
  home.close();
  removeHome(home.dir);
});

test.run();
