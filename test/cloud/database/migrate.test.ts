import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { openDatabase } from '../../../src/cloud/database/openDatabase.ts';
import { CLOUD_SCHEMA } from '../../../src/cloud/database/migrate.ts';
import {
  createTestDatabase,
  openTestDatabase,
  defineDatabaseTests,
} from '../../support/cloud/openTestDatabase.ts';

const test = suite('cloud: the schema of the database');
const dbTest = defineDatabaseTests(test);

const open = (url: string) => openDatabase(url, { log: silentLog, max: 2 });

async function refuse(work: Promise<unknown>): Promise<SvcError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

dbTest(
  'two nodes that start together on an empty database both get the schema (CLD-6)',
  async () => {
    const url = await createTestDatabase('empty');
    const nodes = await Promise.all([open(url), open(url), open(url)]);
    const [{ sql }] = nodes;
    const applied = await sql`select version from schema_migrations order by version`;
    assert.equal(
      applied.map(({ version }) => version),
      Array.from({ length: CLOUD_SCHEMA }, (_, index) => index + 1),
    );
    assert.is((await sql`select secret from cluster`).length, 1);
    await Promise.all(nodes.map((node) => node.close()));
  },
);

dbTest('an older node refuses a schema that a newer one has changed (CLD-6)', async () => {
  const database = await openTestDatabase();
  await database.sql`insert into schema_migrations values (${CLOUD_SCHEMA + 1}, 'newer', now())`;
  const error = await refuse(open(database.url));
  assert.is(error.code, 'conflict');
  assert.equal(error.data, { schema: CLOUD_SCHEMA + 1, known: CLOUD_SCHEMA });
  await database.close();
});

dbTest('a database that another svc has migrated is opened as it is', async () => {
  const database = await openTestDatabase();
  const [before] = await database.sql`select secret from cluster`;
  const again = await open(database.url);
  const [after] = await again.sql`select secret from cluster`;
  assert.is(after?.secret, before?.secret);
  await Promise.all([database.close(), again.close()]);
});

dbTest('a wrong password is refused for good, and is not in the message', async () => {
  const url = (await createTestDatabase()).replace(/svc:[^@]+@/, 'svc:some-wrong-password@');
  const error = await refuse(open(url));
  assert.is(error.code, 'bad-argument');
  assert.not.match(error.message, 'some-wrong-password');
});

dbTest('a database that does not exist is refused for good', async () => {
  const url = (await createTestDatabase()).replace(/\/test_\d+\?/, '/nowhere?');
  assert.is((await refuse(open(url))).code, 'bad-argument');
});

test('a database that does not answer may answer later', async () => {
  const error = await refuse(open('postgres://svc:secret-word@127.0.0.1:1/svc'));
  assert.is(error.code, 'temporarily-unavailable');
  assert.is(error.data.reason, 'database-away');
  assert.not.match(error.message, 'secret-word');
});

test('what is no URL of PostgreSQL is refused, and is not repeated', async () => {
  for (const url of ['mysql://u:secret-word@h/d', 'secret-word', 'http://secret-word']) {
    const error = await refuse(open(url));
    assert.is(error.code, 'bad-argument');
    assert.not.match(error.message, 'secret-word');
  }
});

dbTest('a transaction that PostgreSQL ends for the sake of another one is repeated', async () => {
  const { sql, transaction, close } = await openTestDatabase();
  await sql`insert into teams values ('a', 'a', 'A', '{}', now()), ('b', 'b', 'B', '{}', now())`;
  let attempts = 0;
  const change = (first: string, second: string) =>
    transaction(async (inner) => {
      attempts += 1;
      await inner`update teams set name = name || '+' where id = ${first}`;
      await inner`select pg_sleep(0.2)`;
      await inner`update teams set name = name || '+' where id = ${second}`;
    });
  await Promise.all([change('a', 'b'), change('b', 'a')]);
  const names = await sql`select name from teams order by id`;
  assert.equal(
    names.map(({ name }) => name),
    ['A++', 'B++'],
  );
  assert.is(attempts, 3);
  await close();
});

test.run();
