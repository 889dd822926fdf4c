import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Submission } from '../../src/kernel/contract.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import type { Ports } from '../../src/kernel/port.ts';
import { ArchiveReader } from '../../src/kernel/sqlite/archive/archiveReader.ts';
import { Commits } from '../../src/kernel/sqlite/commits.ts';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { FeatureTables } from '../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { SqliteStore } from '../../src/kernel/sqlite/sqliteStore.ts';
import { orderChart } from '../support/charts/orderChart.ts';
import { quiet, removeHome } from '../support/charts/orderStage.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { WRITER } from '../support/writer.ts';
import type { SqlValue } from '../../src/kernel/sqlite/toSqlValue.ts';

/** What the order's world sees: parcels by effect id, and how often each was asked for. */
class Carrier {
  readonly parcels = new Map<string, number>();
  readonly ports: Ports = {
    'parcel.send': async (_params: unknown, { effectId }) => {
      this.parcels.set(effectId, (this.parcels.get(effectId) ?? 0) + 1);
      return {
        events: [{ type: 'shipped', parcel: effectId }],
        frames: [{ kind: 'log', data: { line: `sent ${effectId}` } }],
      };
    },
  };
}

/**
 * Every kind of write in few commits: starts, rows, frames, inbox, timers, messages, effects and
 * their outcome.
 */
const script: Submission[] = [
  { starts: ['a', 'b'].map((id) => ({ chart: 'order', id, input: { id, price: 5 } })) },
  {
    sends: [
      { to: 'a', event: { type: 'add', item: 'pen' }, source: 'shop', externalId: '1' },
      { to: 'a', event: { type: 'remind', afterMs: 60_000 }, source: 'counter', externalId: '0' },
      { to: 'b', event: { type: 'add', item: 'ink' }, source: 'shop', externalId: '2' },
    ],
    frames: [{ actor: 'b', frame: { kind: 'log', data: { line: 'hello' } } }],
  },
  {
    sends: [
      { to: 'a', event: { type: 'pay', amount: 5 }, source: 'bank', externalId: '1' },
      { to: 'a', event: { type: 'tell', to: 'b' }, source: 'counter', externalId: '1' },
    ],
  },
  {
    sends: [
      { to: 'a', event: { type: 'ship' }, source: 'counter', externalId: '2' },
      { to: 'a', event: { type: 'forget' }, source: 'counter', externalId: '3' },
    ],
  },
];

/**
 * A point at which the process was killed: a copy of the files, and what had been reported to the outside
 * until then.
 */
interface Crash {
  dir: string;
  where: string;
  answered: number;
  /** Parcels that had been asked for. */
  asked: string[];
}

const ids = ['a', 'b'];
const copyStore = (from: string, to: string) => {
  mkdirSync(to, { recursive: true });
  for (const name of ['state.db', 'state.db-wal'])
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
};

/** A connection that fails, as it were, before each of its writes. */
class FailingDatabase extends Database {
  before: (sql: string) => void = () => {};
  override run(sql: string, ...values: SqlValue[]): number {
    this.before(sql.trim().split(/\s+/).slice(0, 3).join(' '));
    return super.run(sql, ...values);
  }
}

/**
 * `place`: where commits are written. On a thread of their own a crash is before the hand-over, while
 * the thread writes, and when it has written what no one has heard of.
 */
async function runWithCrashes(
  root: string,
  place: 'inline' | 'thread',
): Promise<{ crashes: Crash[]; journal: Record<string, string[]> }> {
  const home = join(root, 'home');
  const thread = place === 'thread' ? WRITER : undefined;
  const db = new FailingDatabase(join(home, 'state.db'), thread);
  migrate(db, MIGRATIONS);
  const store = new SqliteStore(db, {
    tables: new FeatureTables(db),
    archives: new ArchiveReader(db, null),
    commits: new Commits(db, { place, onHandOver: () => crash('before the hand-over') }),
  });
  if (thread) {
    const commit = store.commit.bind(store);
    store.commit = (batch) => {
      const writing = commit(batch);
      crash('while the thread writes');
      db.writer?.settle();
      crash('when it has written');
      return writing;
    };
  }
  const carrier = new Carrier();
  const clock = new SimulatedClock();
  const kernel = createKernel({
    screen: null,
    store,
    charts: [orderChart],
    ports: carrier.ports,
    clock,
  });
  const crashes: Crash[] = [];
  let answered = 0;
  const crash = (where: string) => {
    const dir = join(root, `crash-${crashes.length}`);
    copyStore(home, dir);
    crashes.push({ dir, where, answered, asked: [...carrier.parcels.keys()] });
  };
  kernel.onCommit(() => crash('after a commit'));
  await kernel.start();
  db.before = (sql) => crash(`before ${sql}`);
  for (const submission of script) {
    await kernel.submit(submission);
    answered++;
    await quiet(kernel);
  }
  db.before = () => {};
  const journal = Object.fromEntries(
    ids.map((id) => [id, store.journal(id, 0, 100).map((row) => row.event.type)]),
  );
  db.close();
  return { crashes, journal };
}

const isPrefix = (part: readonly string[], whole: readonly string[]) =>
  part.every((item, index) => whole[index] === item);

const test = suite('durable crashes');

for (const place of ['inline', 'thread'] as const)
  test(`a crash before any write and after every effect loses nothing that was answered and repeats nothing that was finished; commits: ${place}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-crash-'));
    const { crashes, journal } = await runWithCrashes(root, place);
    assert.equal(journal, {
      a: ['xstate.init', 'add', 'remind', 'pay', 'tell', 'ship', 'forget', 'shipped'],
      b: ['xstate.init', 'add', 'told'],
    });
    assert.ok(crashes.length > (place === 'thread' ? 15 : 50), `only ${crashes.length} crashes`);
    let betweenEffectAndOutcome = 0;
    for (const { dir, where, answered, asked } of crashes) {
      const at = `crash ${where}, ${answered} answered`;
      const store = openStore({ file: join(dir, 'state.db'), pid: process.pid, now: 0 });
      assert.equal(store.integrity(), [], at);
      const rows = Object.fromEntries(
        ids.map((id) => [id, store.durable.journal(id, 0, 100).map((row) => row.event.type)]),
      );
      const outcomeWritten = rows.a?.includes('shipped') ?? false;
      if (asked.length > 0 && !outcomeWritten) betweenEffectAndOutcome += 1;
      // The commits that were answered, and at most whole ones beyond.
      for (const id of ids)
        assert.ok(isPrefix(rows[id] ?? [], journal[id] ?? []), `${at}: ${rows[id]}`);
      const least = [
        { a: 0, b: 0 },
        { a: 1, b: 1 },
        { a: 3, b: 2 },
        { a: 5, b: 2 },
        { a: 7, b: 2 },
      ][answered];
      assert.ok(
        (rows.a?.length ?? 0) >= (least?.a ?? 0) && (rows.b?.length ?? 0) >= (least?.b ?? 0),
        `${at}: an answered event is lost`,
      );
      assert.ok(
        [0, 1, 3, 5, 7, 8].includes(rows.a?.length ?? -1),
        `${at}: half a commit: ${rows.a}`,
      );
      for (const id of ids) {
        const actor = store.durable.actor(id);
        assert.is(actor?.seq ?? 0, rows[id]?.length ?? 0, at);
        assert.is(store.durable.frames(id, 0, 100).length, actor?.frameSeq ?? 0, at);
      }

      // The next process: what was finished is not asked for again, what was not is, and all comes to
      // the same end.
      const carrier = new Carrier();
      const clock = new SimulatedClock();
      const kernel = createKernel({
        screen: null,
        store: store.durable,
        charts: [orderChart],
        ports: carrier.ports,
        clock,
      });
      await kernel.start();
      await quiet(kernel);
      for (const submission of script) await kernel.submit(submission);
      await quiet(kernel);
      assert.equal([...carrier.parcels.keys()], outcomeWritten ? [] : ['a/6/0'], at);
      assert.equal(
        ids.map((id) => [kernel.state(id)?.value, getNote(kernel.state(id)?.context)]),
        [
          ['closed', 'a/6/0'],
          ['filling', 'told by a'],
        ],
      );
      assert.equal(store.durable.listPendingEffects(), [], at);
      assert.equal(store.durable.listPendingMail(), [], at);
      assert.equal(store.durable.timers(10), [], at);
      assert.is(store.rows.count('insights'), 2, at);
      store.close();
    }
    assert.ok(betweenEffectAndOutcome > 0, 'no crash between effect and outcome');
    removeHome(root);
  });

const getNote = (context: unknown): unknown => Reflect.get(Object(context), 'note');

test.run();
