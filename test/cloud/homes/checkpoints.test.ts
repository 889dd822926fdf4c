import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sha256 } from '../../../src/base/system/ids/ids.ts';
import { ADVISORY_LOCKS } from '../../../src/cloud/database/advisoryLocks.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { cleanUpLogs } from '../../../src/cloud/homes/logCleanup.ts';
import { CHECKPOINT_PART_BYTES } from '../../../src/contract/schema/cloud/home.ts';
import { HomeRunner, TestChain } from '../../support/cloud/homeRunner.ts';
import { postgresPrograms, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../../support/cloud/startTestControlPlane.ts';
import { startTeamNode } from '../../support/cloud/testTeam.ts';

const test = suite('cloud: checkpoints and artefacts of a home');
const dbTest = defineDatabaseTests(test);

let node: TestControlPlane;
let database: Database;
let homes = 0;

if (postgresPrograms.length > 0)
  test.before(async () => {
    node = await startTeamNode();
    database = await openDatabase(node.databaseUrl, { log: silentLog, max: 2 });
  });
test.after(async () => {
  await database?.close();
  await node?.stop();
});

const openHome = () => {
  homes += 1;
  return HomeRunner.open(node, { homeId: `home${homes}`, name: `mac${homes}` });
};

async function write(runner: HomeRunner, count: number): Promise<void> {
  const socket = await runner.connect();
  for (let n = 0; n < count; n += 1) socket.commit(runner.add());
  await socket.awaitCommitted(runner.chain.n);
  socket.close();
}

const clean = async (): Promise<void> => {
  // The node cleans up as well, and no two do so at the same time.
  await database.transaction(
    (sql) => sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.logCleanup})`,
  );
  while (!(await cleanUpLogs({ database, clock: systemClock, log: silentLog })));
};

const BYTES = randomBytes(2 * CHECKPOINT_PART_BYTES + 1_000);

dbTest('a checkpoint counts when it is complete, and is read as it was sent (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 2);
  assert.is((await runner.ask('GET', '/home')).body.checkpoint, null);
  assert.is((await runner.uploadCheckpoint(BYTES)).status, 200);
  const { checkpoint } = (await runner.ask('GET', '/home')).body;
  assert.equal(checkpoint, {
    n: 2,
    hash: runner.chain.hash,
    bytes: BYTES.length,
    sha256: sha256(BYTES),
    storeVersion: 1,
    parts: 3,
  });
  const reply = await runner.send('GET', '/runner/home/checkpoints/2');
  assert.is(Buffer.compare(Buffer.from(await reply.arrayBuffer()), BYTES), 0);
});

dbTest('an upload that was interrupted continues after the parts that exist (RUN-5)', async () => {
  const runner = await openHome();
  const first = BYTES.subarray(0, CHECKPOINT_PART_BYTES);
  await runner.putPart(0, 0, first);
  const { body } = await runner.ask('GET', '/home/checkpoints/0/parts');
  assert.equal(body, { parts: [{ part: 0, sha256: sha256(first), bytes: first.length }] });
});

dbTest('a range of a checkpoint over the border of two parts (RUN-5)', async () => {
  const runner = await openHome();
  await runner.uploadCheckpoint(BYTES);
  const from = CHECKPOINT_PART_BYTES - 5;
  const reply = await runner.send('GET', '/runner/home/checkpoints/0', {
    headers: { Range: `bytes=${from}-${from + 9}` },
  });
  assert.is(reply.status, 206);
  assert.is(reply.headers.get('content-range'), `bytes ${from}-${from + 9}/${BYTES.length}`);
  const bytes = Buffer.from(await reply.arrayBuffer());
  assert.is(Buffer.compare(bytes, BYTES.subarray(from, from + 10)), 0);
});

dbTest('a part with one changed byte is refused (RUN-5)', async () => {
  const runner = await openHome();
  const part = BYTES.subarray(0, 1_000);
  const changed = Buffer.from(part);
  changed[10] = (changed[10] ?? 0) ^ 1;
  assert.is(await runner.putPart(0, 0, changed, sha256(part)), 422);
  assert.equal((await runner.ask('GET', '/home/checkpoints/0/parts')).body, { parts: [] });
});

dbTest(
  'a byte that changes in the database is found before a checkpoint counts (RUN-5)',
  async () => {
    const runner = await openHome();
    const part = BYTES.subarray(0, 1_000);
    await runner.putPart(0, 0, part);
    await database.sql`
    update checkpoint_parts set body = set_byte(body, 500, get_byte(body, 500) # 1)
    where log_id = (select log_id from homes where runner_id = ${runner.runnerId})`;
    const { status, body } = await runner.ask('POST', '/home/checkpoints/0', {
      sha256: sha256(part),
      bytes: part.length,
      parts: 1,
      hash: runner.chain.hash,
      storeVersion: 1,
    });
    assert.equal([status, body.code], [422, 'invalid']);
  },
);

dbTest('a checkpoint of another history does not count (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 1);
  const other = new TestChain();
  other.add(runner.generation, new Uint8Array([1]));
  const { status, body } = await runner.uploadCheckpoint(BYTES.subarray(0, 10), other);
  assert.equal([status, body.code], [409, 'conflict']);
});

dbTest('a checkpoint replaces the one at the same entry when it is complete (RUN-5)', async () => {
  const runner = await openHome();
  const read = async () => {
    const reply = await runner.send('GET', '/runner/home/checkpoints/0');
    return Buffer.from(await reply.arrayBuffer());
  };
  await runner.uploadCheckpoint(BYTES);
  const shorter = BYTES.subarray(7, CHECKPOINT_PART_BYTES + 100);
  const first = shorter.subarray(0, CHECKPOINT_PART_BYTES);
  await runner.putPart(0, 0, first);
  assert.is(Buffer.compare(await read(), BYTES), 0);
  assert.equal((await runner.ask('GET', '/home/checkpoints/0/parts')).body, {
    parts: [{ part: 0, sha256: sha256(first), bytes: first.length }],
  });
  assert.is((await runner.uploadCheckpoint(shorter, runner.chain, 2)).status, 200);
  assert.is(Buffer.compare(await read(), shorter), 0);
  const { checkpoint } = (await runner.ask('GET', '/home')).body;
  assert.is((checkpoint as { sha256: string }).sha256, sha256(shorter));
  await clean();
  const [row] = await database.sql`
    select count(*) as parts from checkpoint_parts
    where log_id = (select log_id from homes where runner_id = ${runner.runnerId})`;
  assert.is(row?.parts, 2);
  assert.is(Buffer.compare(await read(), shorter), 0);
});

dbTest('a checkpoint of an older schema does not replace one (RUN-5)', async () => {
  const runner = await openHome();
  await runner.uploadCheckpoint(BYTES.subarray(0, 10), runner.chain, 2);
  const older = await runner.uploadCheckpoint(BYTES.subarray(0, 20), runner.chain, 1);
  assert.equal([older.status, older.body.code], [409, 'conflict']);
  const reply = await runner.send('GET', '/runner/home/checkpoints/0');
  assert.is((await reply.arrayBuffer()).byteLength, 10);
});

dbTest('a part that is missing, and one that is too large, are refused (RUN-5)', async () => {
  const runner = await openHome();
  const answer = await runner.ask('POST', '/home/checkpoints/0', {
    sha256: sha256(BYTES),
    bytes: BYTES.length,
    parts: 3,
    hash: runner.chain.hash,
    storeVersion: 1,
  });
  assert.is(answer.status, 422);
  assert.is(await runner.putPart(0, 0, randomBytes(CHECKPOINT_PART_BYTES + 1)), 413);
});

dbTest(
  'a log that begins at jobs is seeding until its checkpoint is complete (RUN-5)',
  async () => {
    homes += 1;
    const runner = await HomeRunner.pair(node, { homeId: `home${homes}`, name: `mac${homes}` });
    runner.chain = new TestChain(40, '3'.repeat(64));
    const start = new TestChain(40, '3'.repeat(64));
    const { body } = await runner.create({ n: 40, hash: start.hash });
    assert.is(body.state, 'seeding');
    await runner.claim();
    await write(runner, 2);
    assert.is((await runner.ask('GET', '/home')).body.state, 'seeding');
    await runner.uploadCheckpoint(BYTES.subarray(0, 100), start);
    assert.is((await runner.ask('GET', '/home')).body.state, 'open');
    assert.equal(
      (await runner.readEntries(40)).map(({ n }) => n),
      [41, 42],
    );
  },
);

dbTest('entries before the last but one checkpoint are deleted, in steps (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 3);
  await runner.uploadCheckpoint(BYTES.subarray(0, 10));
  await write(runner, 2);
  await runner.uploadCheckpoint(BYTES.subarray(0, 20));
  await write(runner, 2);
  await clean();
  assert.is((await runner.ask('GET', '/home')).body.entriesAfter, 3);
  const early = await runner.ask('GET', '/home/entries?after=2');
  assert.equal([early.status, early.body.entriesAfter], [404, 3]);
  assert.equal(
    (await runner.readEntries(3)).map(({ n }) => n),
    [4, 5, 6, 7],
  );
  await runner.uploadCheckpoint(BYTES.subarray(0, 30));
  await clean();
  assert.is((await runner.send('GET', '/runner/home/checkpoints/3')).status, 404);
  const reply = await runner.send('GET', '/runner/home/checkpoints/5');
  assert.is((await reply.arrayBuffer()).byteLength, 20);
});

dbTest('what a home that was left had is deleted (RUN-5)', async () => {
  const runner = await openHome();
  await write(runner, 3);
  await runner.uploadCheckpoint(BYTES);
  const [home] = await database.sql`
    select log_id from homes where runner_id = ${runner.runnerId}`;
  await runner.ask('DELETE', '/home');
  await clean();
  const [row] = await database.sql`
    select (select count(*) from commits where log_id = ${home?.log_id}) as commits,
      (select count(*) from checkpoint_parts where log_id = ${home?.log_id}) as parts,
      (select count(*) from old_logs) as logs`;
  assert.equal({ ...row }, { commits: 0, parts: 0, logs: 0 });
});

const putBlob = async (runner: HomeRunner, body: Buffer, name = sha256(body)): Promise<number> => {
  const reply = await runner.send('PUT', `/runner/blobs/${name}`, {
    body: Uint8Array.from(body),
    headers: { 'content-type': 'application/octet-stream' },
  });
  await reply.arrayBuffer();
  return reply.status;
};

dbTest('an artefact is read as it was sent; a HEAD request says its size (RUN-5)', async () => {
  const runner = await openHome();
  assert.is(await putBlob(runner, BYTES), 204);
  assert.is(await putBlob(runner, BYTES), 204);
  const path = `/runner/blobs/${sha256(BYTES)}`;
  const head = await runner.send('HEAD', path);
  assert.equal([head.status, head.headers.get('content-length')], [200, String(BYTES.length)]);
  const reply = await runner.send('GET', path);
  assert.is(Buffer.compare(Buffer.from(await reply.arrayBuffer()), BYTES), 0);
  assert.is((await runner.send('DELETE', path)).status, 204);
  assert.is((await runner.send('GET', path)).status, 404);
});

dbTest('artefacts are listed from a day after their last upload on (RUN-5)', async () => {
  const runner = await openHome();
  const list = async (after = '') => {
    const reply = await runner.send('GET', `/runner/blobs${after}`);
    const { blobs } = (await reply.json()) as { blobs: string[] };
    return blobs;
  };
  await putBlob(runner, BYTES);
  await putBlob(runner, Buffer.from('other'));
  assert.equal(await list(), []);
  const names = [sha256(BYTES), sha256('other')].sort();
  await database.sql`update blobs set uploaded_at = now() - interval '25 hours'`;
  assert.equal(await list(), names);
  assert.equal(await list(`?after=${names[0]}`), [names[1]]);
  await putBlob(runner, BYTES);
  assert.equal(await list(), [sha256('other')]);
});

dbTest('an artefact without bytes is one (RUN-5)', async () => {
  const runner = await openHome();
  const empty = Buffer.alloc(0);
  assert.is(await putBlob(runner, empty), 204);
  const reply = await runner.send('GET', `/runner/blobs/${sha256(empty)}`);
  assert.equal([reply.status, (await reply.arrayBuffer()).byteLength], [200, 0]);
});

dbTest('an artefact with other bytes, or above 25 MiB, is refused (RUN-5)', async () => {
  const runner = await openHome();
  assert.is(await putBlob(runner, BYTES, sha256('other')), 422);
  assert.is(await putBlob(runner, Buffer.alloc(25 * 1024 * 1024 + 1)), 413);
});

const putParts = async (runner: HomeRunner, body: Buffer, parts: readonly number[]) => {
  const PART = 1024 * 1024;
  const statuses: number[] = [];
  for (const part of parts) {
    const piece = body.subarray(part * PART, (part + 1) * PART);
    const reply = await runner.send('PUT', `/runner/blobs/${sha256(body)}`, {
      body: Uint8Array.from(piece),
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${part * PART}-${part * PART + piece.length - 1}/${body.length}`,
      },
    });
    await reply.arrayBuffer();
    statuses.push(reply.status);
  }
  return statuses;
};

dbTest(
  'an artefact in parts counts from its last part on, and a part may come again (RUN-5)',
  async () => {
    const runner = await openHome();
    const body = Buffer.alloc(2_500_000, 'abc');
    const path = `/runner/blobs/${sha256(body)}`;
    assert.equal(await putParts(runner, body, [0, 1, 1]), [204, 204, 204]);
    assert.is((await runner.send('HEAD', path)).status, 404);
    assert.equal(await putParts(runner, body, [2, 2]), [204, 204]);
    const reply = await runner.send('GET', path);
    assert.is(Buffer.compare(Buffer.from(await reply.arrayBuffer()), body), 0);
  },
);

dbTest(
  'an artefact whose parts do not fit together is refused, and forgotten (RUN-5)',
  async () => {
    const runner = await openHome();
    const body = Buffer.alloc(2_500_000, 'xyz');
    assert.equal(await putParts(runner, body, [0, 2]), [204, 422]);
    assert.equal(await putParts(runner, body, [0, 1, 2]), [204, 204, 204]);
  },
);

dbTest('an artefact whose last part has not come for a day is deleted (RUN-5)', async () => {
  const runner = await openHome();
  await putParts(runner, Buffer.alloc(2_500_000, 'old'), [0]);
  const count = async () => {
    const [row] = await database.sql`
      select count(*) from blobs where runner_id = ${runner.runnerId} and not is_whole`;
    return Number(row?.count);
  };
  assert.is(await count(), 1);
  await database.sql`
    update blobs set uploaded_at = uploaded_at - interval '25 hours' where runner_id = ${runner.runnerId}`;
  await clean();
  assert.is(await count(), 0);
});

dbTest('a range that is none, or not of whole parts, is refused (RUN-5)', async () => {
  const runner = await openHome();
  for (const range of ['bytes 5-9/10', 'bytes 0-4/10', 'items 0-9/10', 'bytes 0-9/9999999999']) {
    const reply = await runner.send('PUT', `/runner/blobs/${sha256(BYTES)}`, {
      body: new Uint8Array(10),
      headers: { 'content-type': 'application/octet-stream', 'content-range': range },
    });
    await reply.arrayBuffer();
    assert.is(reply.status, range.endsWith('9999999999') ? 413 : 400, range);
  }
});

dbTest('an artefact of one home is not read by the runner of another (RUN-5)', async () => {
  const runner = await openHome();
  const other = await openHome();
  await putBlob(runner, BYTES);
  assert.is((await other.send('GET', `/runner/blobs/${sha256(BYTES)}`)).status, 404);
});

test.run();
