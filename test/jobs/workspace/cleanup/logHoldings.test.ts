import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resolveArchiveDir } from '../../../../src/kernel/sqlite/openKernelStore.ts';
import {
  createArchiveHolding,
  createLogHolding,
} from '../../../../src/jobs/workspace/cleanup/logHoldings.ts';
import { ARCHIVED_AT, ArchiveStage, createLife } from '../../../support/archiveStage.ts';

const ALL = { sized: true, before: ARCHIVED_AT };
const IN_TIME = { sized: false, before: ARCHIVED_AT };

/** Both kinds, of a home with two ended jobs and one at work. */
function withLogs(stage: ArchiveStage) {
  stage.live('a', createLife(200));
  stage.live('b', createLife(100));
  stage.live('at-work', { ...createLife(100), activity: 'live' });
  const { retention, archiver } = stage.store;
  const archiveDir = resolveArchiveDir('/state.db');
  const deps = { retention, archiver, stateDb: '/state.db', archiveDir };
  return { logs: createLogHolding(deps), archives: createArchiveHolding(deps) };
}

const test = suite('logs and retention');

test('ended jobs without an archive are moved, once; what the others have counts', async () => {
  using stage = new ArchiveStage();
  const home = withLogs(stage);
  const { things, total } = await home.logs.look(ALL);
  const [a, b] = things;
  assert.equal(
    things.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.ok(a && b && a.bytes > b.bytes && total > a.bytes + b.bytes);
  assert.is(home.logs.mayGo('at-work'), false);
  if (a) assert.equal((await home.logs.remove(a, true)).removed?.[0]?.bytes, a.bytes);
  assert.is((await home.logs.look(IN_TIME)).things.length, 2, 'a dry run moves nothing');
  if (a) assert.equal((await home.logs.remove(a, false)).removed?.[0]?.bytes, a.bytes);
  assert.equal(
    (await home.logs.look(IN_TIME)).things.map(({ id }) => id),
    ['b'],
  );
  if (a) assert.equal(await home.logs.remove(a, false), {}, 'a second time moves nothing');
});

test('archives go for good, and are counted by their files', async () => {
  using stage = new ArchiveStage();
  const home = withLogs(stage);
  const archive = await stage.store.archiver.archive('a');
  const stock = await home.archives.look(IN_TIME);
  assert.equal(
    stock.things.map(({ id, bytes: own }) => [id, own]),
    [['a', 'bytes' in archive ? archive.bytes : null]],
  );
  const [one] = stock.things;
  if (one) await home.archives.remove(one, true);
  assert.is(stage.store.archiver.sizes().length, 1, 'a dry run removes nothing');
  if (one) await home.archives.remove(one, false);
  assert.is(stage.store.archiver.sizes().length, 0);
});

test.run();
