import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNPRIVILEGED_UID } from '../../../src/base/system/postgres/localPlaces.ts';
import { readDurability } from '../../../src/cloud/database/readDurability.ts';
import { longLane } from '../../support/longLane.ts';
import {
  findTestServer,
  openTestDatabase,
  postgresPrograms,
  defineDatabaseTests,
} from '../../support/cloud/openTestDatabase.ts';

const test = suite('cloud: how safe a commit is');
const dbTest = defineDatabaseTests(test);
const long = postgresPrograms.length > 0 ? longLane(test) : () => undefined;

dbTest('one server alone is single, also where commits do not wait (CLD-6)', async () => {
  const { sql, close } = await openTestDatabase();
  assert.is(await readDurability(sql), 'single');
  await close();
});

long(
  'a synchronous standby makes it replicated, and its end makes it single again (CLD-6)',
  async () => {
    const database = await openTestDatabase();
    const { sql } = database;
    const folder = new URL((await findTestServer()).url).searchParams.get('host') ?? '';
    const dir = mkdtempSync(join(tmpdir(), 'svc-standby-'));
    const uid = process.getuid?.() === 0 ? UNPRIVILEGED_UID : process.getuid?.();
    const data = join(dir, 'data');
    const socket = join(dir, 'socket');
    mkdirSync(socket);
    chmodSync(dir, 0o755);
    for (const one of [dir, socket]) chownSync(one, Number(uid), Number(uid));
    const bin = postgresPrograms[0]?.folder ?? '';
    const env = { LC_ALL: 'C', PGPASSWORD: 'test' };
    const options = { cwd: dir, env, uid: Number(uid), gid: Number(uid) };
    const primary = `host=${folder} user=svc password=test application_name=standby`;
    await sql`alter system set synchronous_commit = 'on'`;
    execFileSync(
      join(bin, 'pg_basebackup'),
      ['-D', data, '-d', primary, '-R', '-c', 'fast'],
      options,
    );
    const standby = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${socket}`],
      { ...options, stdio: 'ignore' },
    );
    await sql`alter system set synchronous_standby_names = 'standby'`;
    await sql`select pg_reload_conf()`;
    const wait = async (expected: string) => {
      for (;;) {
        // The parameters of `start` come before those of the file: a connection has to select them.
        await sql`set synchronous_commit = 'on'`;
        if ((await readDurability(sql)) === expected) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await wait('replicated');
    standby.kill('SIGQUIT');
    await wait('single');
    await sql`alter system reset synchronous_standby_names`;
    await sql`select pg_reload_conf()`;
    await database.close();
    rmSync(dir, { recursive: true });
  },
);

test.run();
