import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import {
  type LocalPlaces,
  UNPRIVILEGED_UID,
} from '../../../src/base/system/postgres/localPlaces.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { initializeData } from '../../../src/cloud/database/local/initializeData.ts';
import { openSocketFolder } from '../../../src/cloud/database/local/openSocketFolder.ts';
import type { PostgresProgram } from '../../../src/cloud/database/local/postgresProgram.ts';
import { startServer } from '../../../src/cloud/database/local/startServer.ts';
import { waitUntil } from './testTeam.ts';

const PASSWORD = 'test';
const runAs = process.getuid?.() === 0 ? UNPRIVILEGED_UID : null;
/** The processes are killed, not the machine. */
const FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '40' };

interface Server {
  places: LocalPlaces;
  pid: number;
  folder: string;
}

const toPlaces = (base: string): LocalPlaces => ({
  base,
  data: join(base, 'data'),
  passwordFile: join(base, 'password'),
  keyFile: join(base, 'secrets.key'),
  logFile: join(base, 'log'),
  runAs,
});

const makeBase = (): LocalPlaces => {
  const base = mkdtempSync(join(tmpdir(), `svc-pg-${process.pid}-`));
  if (runAs !== null) chownSync(base, runAs, runAs);
  return toPlaces(base);
};

async function launch(
  program: PostgresProgram,
  places: LocalPlaces,
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  const { path: folder } = await openSocketFolder(places);
  const all = { ...FAST, ...settings, unix_socket_directories: folder };
  const started = await startServer(program, places, all, systemClock);
  if ('said' in started) throw new Error(`PostgreSQL: ${started.said}`);
  return { places, pid: started.pid, folder };
}

/** A process and its children. */
function listProcesses(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
  return [parent, ...children.map(Number)];
}

const kill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
};

const connect = ({ folder }: Server) =>
  postgres(`postgres://svc:${PASSWORD}@localhost/postgres`, {
    path: join(folder, '.s.PGSQL.5432'),
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  });

/** A primary and its standby, and an address that leads to the one that is used. */
export class ServerPair {
  readonly #primary: Server;
  readonly #standby: Server;
  readonly #link: string;

  private constructor(primary: Server, standby: Server, link: string) {
    this.#primary = primary;
    this.#standby = standby;
    this.#link = link;
  }

  /** `isSynchronous`: the primary acknowledges a commit only when the standby has it. */
  static async open(program: PostgresProgram, isSynchronous: boolean): Promise<ServerPair> {
    const places = makeBase();
    await initializeData(places, program, {
      password: PASSWORD,
      name: 'pair',
      isDurable: false,
    });
    const names = isSynchronous ? { synchronous_standby_names: 'standby' } : {};
    // Without a standby yet, statements of this start would wait for one.
    const first = await launch(program, places, {});
    const copy = makeBase();
    execFileSync(
      join(program.folder, 'pg_basebackup'),
      [
        '-D',
        copy.data,
        '-R',
        '-c',
        'fast',
        '--no-sync',
        '-d',
        `host=${first.folder} user=svc password=${PASSWORD} application_name=standby`,
      ],
      {
        cwd: copy.base,
        env: { LC_ALL: 'C' },
        stdio: 'pipe',
        ...(runAs === null ? {} : { uid: runAs, gid: runAs }),
      },
    );
    chmodSync(copy.data, 0o700);
    process.kill(first.pid, 'SIGINT');
    await waitUntil(() => listProcesses(first.pid).length === 1 && !isAlive(first.pid));
    const primary = await launch(program, places, { ...names, synchronous_commit: 'on' });
    const standby = await launch(program, copy, { synchronous_commit: 'on' });
    const link = join(copy.base, 'active');
    symlinkSync(primary.folder, link);
    const pair = new ServerPair(primary, standby, link);
    await pair.#awaitReplication();
    return pair;
  }

  /** Of whichever server is used. */
  get url(): string {
    return `postgres://svc:${PASSWORD}@localhost/postgres?host=${encodeURIComponent(this.#link)}`;
  }

  async #awaitReplication(): Promise<void> {
    const sql = connect(this.#primary);
    await waitUntil(async () => {
      const [row] = await sql`
        select from pg_stat_replication where state = 'streaming' and replay_lsn >= pg_current_wal_lsn()`;
      return row !== undefined;
    });
    await sql.end();
  }

  /** Resolves when the standby has everything. */
  caughtUp(): Promise<void> {
    return this.#awaitReplication();
  }

  /** Nothing more reaches the standby; the primary does not notice. */
  async cutReplication(): Promise<void> {
    const sql = connect(this.#primary);
    const rows = await sql`select pid from pg_stat_replication`;
    for (const { pid } of rows) kill(Number(pid), 'SIGSTOP');
    await sql.end();
  }

  killPrimary(): void {
    for (const pid of listProcesses(this.#primary.pid)) kill(pid, 'SIGKILL');
  }

  /** The standby becomes the server that the address leads to. */
  async failOver(): Promise<void> {
    const sql = connect(this.#standby);
    await sql`select pg_promote(true, 60)`;
    await sql.end();
    const next = `${this.#link}.next`;
    symlinkSync(this.#standby.folder, next);
    renameSync(next, this.#link);
  }

  close(): void {
    for (const { pid, places, folder } of [this.#primary, this.#standby]) {
      for (const one of listProcesses(pid)) kill(one, 'SIGKILL');
      rmSync(places.base, { recursive: true, force: true, maxRetries: 5 });
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
