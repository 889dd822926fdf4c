import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import { silentLog } from '../../src/base/system/log/log.ts';
import type { Database } from '../../src/cloud/database/database.ts';
import { readLocalKeys } from '../../src/cloud/database/local/localKeys.ts';
import { openDatabase } from '../../src/cloud/database/openDatabase.ts';
import { toTokenPlace } from '../../src/cloud/people/signOn/admitPerson.ts';
import { type GivenKeys, rotateKey } from '../../src/cloud/rotateKey.ts';
import { resealColumn } from '../../src/cloud/server/resealColumn.ts';
import { openSealer } from '../../src/cloud/server/sealer.ts';
import { SEALED_WEBHOOKS } from '../../src/cloud/webhooks/sealedWebhooks.ts';
import { postgresPrograms, defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import type { TestControlPlane } from '../support/cloud/startTestControlPlane.ts';
import { asUser, startTeamNode } from '../support/cloud/testTeam.ts';
import { addWebhook, sendWebhook } from '../support/cloud/webhookTeam.ts';

const test = suite('cloud: another key for secrets');
const dbTest = defineDatabaseTests(test);

const createKey = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const [OLD, NEW, LATER, UNKNOWN] = [1, 2, 3, 4].map(createKey) as [string, string, string, string];
const DELIVERIES = 230;

let node: TestControlPlane | undefined;
let database: Database;
let databaseUrl = '';
let secret = '';
let dir = '';

if (postgresPrograms.length > 0)
  test.before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'svc-key-'));
    node = await startTeamNode({ cloudKey: OLD });
    databaseUrl = node.databaseUrl;
    database = await openDatabase(databaseUrl, { log: silentLog, max: 2 });
    secret = await addWebhook(node, 'github');
    await sendWebhook(node, 'github', { secret });
    const token = openSealer(OLD, null)?.seal('refresh', toTokenPlace('https://issuer', 'ada'));
    await database.sql`
      insert into identities (issuer, subject, user_id, refresh_token)
      values ('https://issuer', 'ada', 'ada', ${token ?? null})`;
    // Deliveries as they are, many times.
    await database.sql`
      insert into webhook_deliveries (team_id, plugin_id, hash, is_known_by_hash, headers, body, received_at)
      select team_id, plugin_id, hash, false, headers, body, received_at
      from webhook_deliveries, generate_series(2, ${DELIVERIES})`;
  });
test.after(async () => {
  await node?.stop();
  await database?.close();
  if (dir !== '') rmSync(dir, { recursive: true });
});

/** The only node from now on. */
async function startWith(cloudKey: string, otherCloudKey: string | null = null): Promise<void> {
  await node?.stop();
  node = await startTeamNode({ databaseUrl, cloudKey, otherCloudKey });
}

const rotate = (keys: GivenKeys, keyFile: string | null = null) =>
  rotateKey({ database, ids: randomIds, keyFile }, keys);

const readRefusal = (keys: GivenKeys, keyFile: string | null = null): Promise<unknown> =>
  rotate(keys, keyFile).then(
    () => null,
    (error: unknown) => (error instanceof SvcError ? error.code : error),
  );

async function readStatus(): Promise<number> {
  if (node === undefined) throw new Error('no node');
  return (await sendWebhook(node, 'github', { secret })).status;
}

dbTest('both keys have to be named, and differ', async () => {
  for (const keys of [
    { key: null, otherKey: null },
    { key: NEW, otherKey: null },
    { key: NEW, otherKey: NEW },
    { key: null, otherKey: OLD },
  ])
    assert.is(await readRefusal(keys), 'bad-argument');
});

dbTest('nothing is sealed again while a node lacks the new key', async () => {
  assert.is(await readRefusal({ key: NEW, otherKey: OLD }), 'not-possible-now');
});

dbTest(
  'nodes with both keys take webhooks before, while and after secrets are sealed again',
  async () => {
    await startWith(NEW, OLD);
    assert.is(await readStatus(), 202);
    const [deliveries] = SEALED_WEBHOOKS.filter(({ column }) => column === 'headers');
    const sealer = openSealer(NEW, OLD);
    if (deliveries === undefined || sealer === null) throw new Error('nothing is sealed');
    let remaining = 120;
    const killed = {
      ...sealer,
      seal(text: string, place: string) {
        remaining -= 1;
        if (remaining < 0) throw new Error('killed');
        return sealer.seal(text, place);
      },
    };
    assert.is(await resealColumn(database, killed, deliveries).catch(() => 'killed'), 'killed');
    assert.is(await readStatus(), 202);
    assert.equal((await rotate({ key: NEW, otherKey: OLD })).columns, [
      { column: 'webhooks.secret', resealed: 1, lost: 0 },
      { column: 'webhooks.previous_secret', resealed: 0, lost: 0 },
      { column: 'webhook_deliveries.headers', resealed: DELIVERIES - 120, lost: 0 },
      { column: 'company_issuer.client_secret', resealed: 0, lost: 0 },
      { column: 'identities.refresh_token', resealed: 1, lost: 0 },
    ]);
  },
);

dbTest('afterwards the new key alone opens everything', async () => {
  await startWith(NEW);
  assert.is(await readStatus(), 202);
  await startWith(NEW, OLD);
  const { columns } = await rotate({ key: NEW, otherKey: OLD });
  assert.is(
    columns.reduce((sum, { resealed, lost }) => sum + resealed + lost, 0),
    0,
  );
});

dbTest('what neither key opens is counted as lost and stays, and the rest works', async () => {
  await startWith(LATER, UNKNOWN);
  const { columns } = await rotate({ key: LATER, otherKey: UNKNOWN });
  assert.equal(columns[0], { column: 'webhooks.secret', resealed: 0, lost: 1 });
  assert.is(await readStatus(), 401);
  assert.is((await node?.ask('/teams/acme', { headers: asUser('ada') }))?.status, 200);
  await startWith(NEW);
  assert.is(await readStatus(), 202);
});

dbTest(
  'of a key in a home the new one is made, used after a start, and the old one removed',
  async () => {
    const file = join(dir, 'secrets.key');
    const { key: first } = await readLocalKeys(file, randomIds);
    const none = { key: null, otherKey: null };
    await startWith(first, NEW);
    await rotate({ key: first, otherKey: NEW });
    await startWith(first);
    assert.is((await rotate(none, file)).state, 'prepared');
    assert.is(statSync(file).mode & 0o777, 0o600);
    const { key, otherKey } = await readLocalKeys(file, randomIds);
    assert.is(otherKey, first);
    assert.is(await readRefusal(none, file), 'not-possible-now');
    await startWith(key, otherKey);
    assert.is((await rotate(none, file)).state, 'done');
    assert.is(readFileSync(file, 'utf8'), `${key}\n`);
    await startWith(key);
    assert.is(await readStatus(), 202);
  },
);

test.run();
