import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { randomIds } from '../../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../../src/base/system/log/log.ts';
import { type Clock, systemClock } from '../../../../src/base/time/clock.ts';
import {
  findLocalPlaces,
  type LocalPlaces,
  UNPRIVILEGED_UID,
} from '../../../../src/base/system/postgres/localPlaces.ts';
import {
  type LocalPostgres,
  type LocalPostgresOptions,
  startLocalPostgres,
} from '../../../../src/cloud/database/local/startLocalPostgres.ts';
import { readDatabaseUrl } from '../../../../src/cloud/database/readDatabaseUrl.ts';
import { longLane } from '../../../support/longLane.ts';
import { postgresPrograms, defineDatabaseTests } from '../../../support/cloud/openTestDatabase.ts';

const test = suite('cloud: the PostgreSQL that svc starts');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];

/** Without the check whether the server still runs: as for one whose svc was killed. */
const UNWATCHED: Clock = {
  now: systemClock.now,
  at: (atMs, run) => (atMs - systemClock.now() > 500 ? () => undefined : systemClock.at(atMs, run)),
};

/** Below a folder that the user of PostgreSQL may pass through. `depth`: least characters of its path. */
function makePlaces(depth = 0): LocalPlaces {
  let base = mkdtempSync(join(tmpdir(), 'svc-local-'));
  folders.push(base);
  execFileSync('chmod', ['755', base]);
  while (base.length < depth) base = join(base, 'a-folder-with-a-long-name');
  mkdirSync(base, { recursive: true, mode: 0o755 });
  const data = join(base, 'base', 'postgres');
  return {
    base: dirname(data),
    data,
    passwordFile: join(base, 'postgres.password'),
    keyFile: join(base, 'secrets.key'),
    logFile: join(base, 'postgres.log'),
    runAs: isRoot ? UNPRIVILEGED_UID : null,
  };
}

const start = (places: LocalPlaces, more: Partial<LocalPostgresOptions> = {}) =>
  startLocalPostgres({
    places,
    programs: postgresPrograms,
    ids: randomIds,
    clock: systemClock,
    log: silentLog,
    settings: { fsync: 'off' },
    isDurable: false,
    ...more,
  });

async function ask<T>(
  { url }: Pick<LocalPostgres, 'url'>,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const address = readDatabaseUrl(url);
  const sql = postgres(address.url, { path: address.path ?? '', max: 1, fetch_types: false });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

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
  'it keeps its data over a stop, and only its user and its password open it (CLD-1)',
  async () => {
    const places = makePlaces();
    const first = await start(places);
    await ask(first, (sql) => sql`create table kept as select 42 as answer`);
    const address = readDatabaseUrl(first.url);
    const socketFolder = dirname(address.path ?? '');
    assert.is(statSync(socketFolder).mode & 0o777, 0o700);
    assert.is(statSync(places.data).mode & 0o777, 0o700);
    assert.is(statSync(places.passwordFile).mode & 0o777, 0o600);
    assert.is(statSync(places.passwordFile).uid, process.getuid?.());
    const wrong = first.url.replace(/:[^:@/]+@/, ':wrong@');
    await ask({ url: wrong }, (sql) => sql`select 1`).then(
      () => assert.unreachable('a wrong password was taken'),
      (error) => assert.is(error.code, '28P01'),
    );
    const password = readFileSync(places.passwordFile, 'utf8').trim();
    const processList = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    assert.not.ok(processList.includes(password), 'the password is in the list of processes');
    assert.not.ok(readFileSync(places.logFile, 'utf8').includes(password));

    const refusal = await refuse(start(places));
    assert.is(refusal.code, 'conflict');
    await first.stop();
    const second = await start(places);
    assert.equal([...(await ask(second, (sql) => sql`select answer from kept`))], [{ answer: 42 }]);
    await second.stop();
  },
);

dbTest('data of another major version are refused with the way to move them', async () => {
  const places = makePlaces();
  mkdirSync(places.data, { recursive: true });
  writeFileSync(join(places.data, 'PG_VERSION'), '14\n');
  writeFileSync(places.passwordFile, 'known\n');
  const error = await refuse(start(places));
  assert.is(error.code, 'not-possible-now');
  assert.is(error.data.needed, 14);
  assert.match(error.message, 'pg_dumpall');
});

dbTest('data whose password is lost are refused, and stay', async () => {
  const places = makePlaces();
  mkdirSync(places.data, { recursive: true });
  assert.is((await refuse(start(places))).code, 'not-possible-now');
  assert.ok(statSync(places.data).isDirectory());
});

test('root keeps the data outside of its home, where the user of PostgreSQL may go', () => {
  const asRoot = findLocalPlaces('/root/.svc', true);
  assert.match(asRoot.data, /^\/var\/lib\/svc-cloud\/[0-9a-f]{16}\/postgres$/);
  assert.is(asRoot.runAs, UNPRIVILEGED_UID);
  assert.is(asRoot.passwordFile, '/root/.svc/cloud/postgres.password');
  assert.not.equal(findLocalPlaces('/root/other', true).data, asRoot.data);
  const own = findLocalPlaces('/home/ada/.svc', false);
  assert.is(own.data, '/home/ada/.svc/cloud/postgres');
  assert.is(own.runAs, null);
});

long('a home 230 characters deep gets a socket elsewhere (CLD-1)', async () => {
  const places = makePlaces(230);
  const server = await start(places);
  const { path } = readDatabaseUrl(server.url);
  assert.ok((path ?? '').length < 100, path ?? '');
  assert.is(statSync(dirname(path ?? '')).mode & 0o777, 0o700);
  assert.equal([...(await ask(server, (sql) => sql`select 1 as one`))], [{ one: 1 }]);
  await server.stop();
  assert.throws(() => statSync(dirname(path ?? '')));
});

long('a server that a killed svc left running is taken over (CLD-6)', async () => {
  const places = makePlaces();
  const first = await start(places, { clock: UNWATCHED });
  // What the end of the other svc does.
  await ask(
    first,
    (sql) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc, owner'`,
  );
  const second = await start(places);
  assert.is(second.pid, first.pid);
  await second.stop();
  await first.stop();
});

long('a start waits while processes of a killed server hold its memory (CLD-6)', async () => {
  const places = makePlaces();
  const first = await start(places);
  await first.stop();
  const again = await start(places, { clock: UNWATCHED });
  const [row] = await ask(again, (sql) => sql`select pg_backend_pid() as pid`);
  assert.ok(row);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(again.pid)], {
    encoding: 'utf8',
  });
  const childPid = Number(children.trim().split('\n')[0]);
  process.kill(childPid, 'SIGSTOP');
  process.kill(again.pid, 'SIGKILL');
  const cancel = systemClock.at(Date.now() + 1_500, () => process.kill(childPid, 'SIGCONT'));
  const third = await start(places);
  cancel();
  assert.is.not(third.pid, again.pid);
  assert.equal([...(await ask(third, (sql) => sql`select 1 as one`))], [{ one: 1 }]);
  await third.stop();
  await again.stop();
});

long('a server that ends is started again', async () => {
  const places = makePlaces();
  const server = await start(places);
  process.kill(server.pid, 'SIGKILL');
  for (;;) {
    const answer = await ask(server, (sql) => sql`select 1 as one`).catch(() => null);
    if (answer !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await server.stop();
});

long('two starts of one home at once make the data once, and one of them is refused', async () => {
  const places = makePlaces();
  const results = await Promise.allSettled([start(places), start(places)]);
  const started = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.is(started.length, 1);
  assert.equal(refused, ['conflict']);
  await started[0]?.stop();
});

test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.run();
