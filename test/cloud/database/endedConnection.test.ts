import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { repairPackages } from '../../../scripts/repairPackages.ts';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { Database, TransactionSql } from '../../../src/cloud/database/database.ts';
import { openTestDatabase, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';

// Runs in a process of its own: it watches for errors that nothing handles.
const test = suite('cloud: a connection that PostgreSQL ends within a transaction');
const dbTest = defineDatabaseTests(test);

const PROJECT = join(import.meta.dirname, '../../..');
/** Connections of its own. */
const MOST = 2;
/** Within the project, from where packages are found. */
const CACHE = join(PROJECT, 'node_modules', '.cache', 'svc');

/** The database as dist/cloud/ has it. */
async function openBundled(url: string): Promise<Database> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'database-'));
  const outfile = join(folder, 'database.mjs');
  await build({
    absWorkingDir: PROJECT,
    entryPoints: ['src/cloud/database/openDatabase.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [repairPackages],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  try {
    const { openDatabase } = await import(pathToFileURL(outfile).href);
    return await openDatabase(url, { log: silentLog, max: MOST });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What reaches no caller while `work` runs, and until what was begun has been written. */
async function collectUncaught(work: () => Promise<unknown>): Promise<string[]> {
  const messages: string[] = [];
  const take = (error: Error): void => void messages.push(error.message);
  process.on('uncaughtException', take);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    process.off('uncaughtException', take);
  }
  return messages;
}

const endConnection = async (sql: TransactionSql, { look }: Database): Promise<void> => {
  const [row] = await sql`select pg_backend_pid() as pid`;
  await look`select pg_terminate_backend(${row?.pid})`;
};

dbTest('its caller gets the error, and the next statements a new connection (CLD-6)', async () => {
  const stage = await openTestDatabase();
  const database = await openBundled(stage.url);
  const uncaught = await collectUncaught(async () => {
    for (let count = 0; count < 4; count += 1) {
      const code = await database
        .transaction(async (sql) => {
          await endConnection(sql, database);
          // Until this side has seen the end.
          await new Promise((resolve) => setTimeout(resolve, 50));
          return sql`select 1`;
        })
        .catch((error) => error.code);
      // The second where the statement was sent before the end was seen.
      assert.ok(code === 'CONNECTION_CLOSED' || code === '57P01', code);
    }
    const answers = Array.from({ length: 8 }, () => database.sql`select 1 as one`);
    assert.is((await Promise.all(answers)).length, 8);
  });
  assert.equal(uncaught, []);
  await database.close();
  await stage.close();
});

dbTest('what it asks afterwards never runs, least of all within another transaction', async () => {
  const stage = await openTestDatabase();
  const database = await openBundled(stage.url);
  await database.sql`create table late (who text)`;
  const hasEnded = createDeferred<undefined>();
  const isLate = createDeferred<undefined>();
  let lateCode: unknown = null;
  const lost = database.transaction(async (sql) => {
    await endConnection(sql, database);
    hasEnded.resolve(undefined);
    await isLate.promise;
    await sql`insert into late values ('lost')`.catch((error) => {
      lateCode = error.code;
    });
  });
  await hasEnded.promise;
  assert.is(await lost.catch((error) => error.code), 'CONNECTION_CLOSED');
  // On each connection, so also on the one that has followed.
  const others = Array.from({ length: MOST }, (_, n) =>
    database.transaction(async (sql) => {
      await sql`insert into late values (${`other ${n}`})`;
      isLate.resolve(undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
  );
  await Promise.all(others);
  assert.is(lateCode, 'CONNECTION_CLOSED');
  const rows = await database.sql`select who from late order by who`;
  assert.equal(
    rows.map(({ who }) => who),
    ['other 0', 'other 1'],
  );
  await database.close();
  await stage.close();
});

test.run();
