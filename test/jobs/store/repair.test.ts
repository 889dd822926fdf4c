import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BOUNDED_SUMS_MIGRATION } from '../../../src/jobs/store/migrations/boundedSumsMigration.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { inspectRows } from '../../../src/jobs/store/repair/inspectRows.ts';
import { openRepair } from '../../../src/jobs/store/repair/openRepair.ts';
import type { InspectActor } from '../../../src/jobs/store/repair/findSuspectRows.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { aCall, SUNDAY } from './aCall.ts';

const test = suite<{ dir: string; file: string }>('store: rows that cannot be read are repaired');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-repair-'));
  context.file = join(context.dir, 'state.db');
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

function withState(file: string, act: (db: InstanceType<typeof DatabaseSync>) => void): void {
  const db = new DatabaseSync(file);
  try {
    act(db);
  } finally {
    db.close();
  }
}

function insertCall(
  db: InstanceType<typeof DatabaseSync>,
  changed: Parameters<typeof aCall>[0],
): void {
  const row = aCall(changed);
  const names = Object.keys(row);
  db.prepare(
    `INSERT INTO usage_calls (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  ).run(...Object.values(row));
}

const MOST = Number.MAX_SAFE_INTEGER;

/** A state whose sums the triggers of 0.2 have brought beyond 2^53, with a sound job beside it. */
function poison(file: string): void {
  const before = MIGRATIONS.indexOf(BOUNDED_SUMS_MIGRATION);
  openStore({ file, pid: 1, now: 0, migrations: MIGRATIONS.slice(0, before) }).close();
  withState(file, (db) => {
    insertCall(db, {
      subject: 'job-1',
      root: 'job-1',
      input_tokens: MOST,
      output_tokens: MOST,
      micro_usd: null,
    });
    insertCall(db, { subject: 'job-2', root: 'job-2' });
    db.exec(
      `INSERT INTO token_usage (job_id, visit, session, phase, input_tokens, output_tokens, cached_input_tokens) VALUES ('job-1', 1, 1, 'coding', ${MOST}, ${MOST}, 0)`,
    );
  });
}

test('a state that 0.2 has poisoned gets the sums of what can be read, and keeps the call as it was', async ({
  file,
}) => {
  poison(file);
  const repair = openRepair(file, SUNDAY);
  const { corrected, kept } = repair.repair(`${file}.copy`);
  repair.close();
  assert.equal({ corrected, kept }, { corrected: 1, kept: [] });
  const store = openStore({ file, pid: 1, now: SUNDAY });
  const sums = (scope: 'job' | 'day', key: string, window: string) =>
    store.rows.one('usage_sums', { scope, key, window });
  assert.is(sums('job', 'job-1', '')?.tokens, 0);
  assert.is(sums('job', 'job-2', '')?.tokens, 110);
  assert.is(sums('day', '', '2026-11-22')?.tokens, 110);
  assert.is((await store.costs.sum({})).inputTokens, 100);
  assert.is(
    store.rows.one('usage_calls', { subject: 'job-1', visit: 1, session: 1, seq: 1 })?.source,
    'estimated',
  );
  assert.is(
    store.rows.one('token_usage', { job_id: 'job-1', visit: 1, session: 1 })?.input_tokens,
    0,
  );
  store.close();
  withState(file, (db) => {
    const [row] = db.prepare('SELECT table_name, content FROM quarantined_rows').all();
    assert.is(row?.table_name, 'usage_calls');
    assert.is(JSON.parse(String(row?.content)).input_tokens, MOST);
  });
});

test('a second repair finds nothing', ({ file }) => {
  poison(file);
  const first = openRepair(file, SUNDAY);
  first.repair(`${file}.copy`);
  first.close();
  assert.equal(inspectRows(file, SUNDAY), { planned: [] });
});

test('the copy holds the state as it was', ({ file }) => {
  poison(file);
  const repair = openRepair(file, SUNDAY);
  repair.repair(`${file}.copy`);
  repair.close();
  withState(`${file}.copy`, (db) => {
    const row = db
      .prepare("SELECT input_tokens AS n FROM usage_calls WHERE subject = 'job-1'")
      .get();
    assert.is(row?.n, MOST);
  });
});

test('to look changes nothing', ({ file }) => {
  poison(file);
  const before = readFileSync(file);
  const inspection = inspectRows(file, SUNDAY);
  assert.ok('planned' in inspection && inspection.planned.length > 0);
  assert.ok(readFileSync(file).equals(before));
});

test('a repair that is interrupted has done nothing', ({ file }) => {
  poison(file);
  const repair = openRepair(file, SUNDAY);
  withState(`${file}.x`, () => {});
  const [first] = repair.planned;
  // One that cannot be written ends the transaction in its middle.
  Object.assign(first ?? {}, { table: 'no_table', repair: { act: 'remove' } });
  assert.throws(() => repair.repair(`${file}.copy`), /no_table/);
  repair.close();
  const inspection = inspectRows(file, SUNDAY);
  assert.ok('planned' in inspection && inspection.planned.length > 0);
});

test('a state that a runner has is not repaired, and the runner is named', ({ file }) => {
  const store = openStore({ file, pid: process.pid, now: SUNDAY });
  try {
    openRepair(file, SUNDAY);
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'locked');
    assert.match(error.message, new RegExp(`\\b${process.pid}\\b`));
  }
  store.close();
});

test('rows of other tables are moved to quarantine with the numbers that they held', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => {
    db.exec(
      `INSERT INTO mail (id, receiver, event) VALUES ('a/1/0', 'b', '{"cut'), ('a/1/1', 'b', '{"type":"x"}');
       INSERT INTO retention_runs (at, reply) VALUES (18014398509481982, '{}'), (5, '{}');
       INSERT INTO insights (job_id, id, at, phase, category, text) VALUES ('job-1', 'i', 9007199254740993, 'p', 'c', 't');`,
    );
  });
  const repair = openRepair(file, SUNDAY);
  const { removed, corrected } = repair.repair(`${file}.copy`);
  repair.close();
  assert.equal({ removed, corrected }, { removed: 2, corrected: 1 });
  withState(file, (db) => {
    const all = (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).join(' '));
    assert.equal(all('SELECT id FROM mail'), ['a/1/1']);
    assert.equal(all('SELECT at FROM retention_runs'), ['5']);
    assert.equal(all('SELECT at FROM insights'), [String(SUNDAY)]);
    assert.equal(
      all(
        "SELECT content ->> '$.at' FROM quarantined_rows WHERE table_name <> 'mail' ORDER BY table_name",
      ),
      ['9007199254740993', '18014398509481982'],
    );
  });
});

test('a job whose snapshot cannot be read is kept, and said', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => {
    db.exec(
      `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
       VALUES ('job-1', 'job', 1, '{"cut', 1, 1, 1, 'x', 'job', 0, 'parked', 1, 1, 1)`,
    );
  });
  const repair = openRepair(file, SUNDAY);
  const { kept } = repair.repair(`${file}.copy`);
  repair.close();
  assert.equal(
    kept.map(({ table, id }) => `${table} ${id}`),
    ['actors job-1'],
  );
  assert.ok(existsSync(`${file}.copy`));
  withState(file, (db) => {
    assert.is(db.prepare('SELECT snapshot FROM actors').get()?.snapshot, '{"cut');
  });
});

test('a job of which nothing says that it has ended is not listed as complete', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => {
    db.exec(
      `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
       VALUES ('job-1', 'job', 1, '{"cut', 1, 1, 1, 'coding', 'job', 0, '?', 1, 1, 1);
       INSERT INTO job_list (job_id, kind, status, state, since, repo, workflow, phase, title, created_at, text)
       VALUES ('job-1', 'job', 'coding', '?', 1, 'shop', 'w.md', 'coding', 't', 1, 't')`,
    );
  });
  const repair = openRepair(file, SUNDAY);
  repair.repair(`${file}.copy`);
  repair.close();
  withState(file, (db) => {
    assert.is(db.prepare('SELECT state FROM job_list').get()?.state, 'waiting');
  });
});

test('a frame with a wrong time stays the frame of a state', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  const data = JSON.stringify({ at: '2026-01-01T00:00:00.000Z', state: ['coding'], parked: null });
  withState(file, (db) => {
    db.prepare(
      `INSERT INTO frames (actor, n, at, kind, data) VALUES ('job-1', 1, -1, 'state', ?)`,
    ).run(data);
  });
  const repair = openRepair(file, SUNDAY);
  repair.repair(`${file}.copy`);
  repair.close();
  withState(file, (db) => {
    assert.equal(
      { ...db.prepare('SELECT at, kind, data FROM frames').get() },
      {
        at: SUNDAY,
        kind: 'state',
        data,
      },
    );
  });
  assert.equal(inspectRows(file, SUNDAY), { planned: [] });
});

/** One job, with a row in the list of jobs. */
const A_JOB = `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
    VALUES ('job-1', 'job', 1, '{"value":"x","context":{},"status":"active"}', 1, 3, 1, 'x', 'job', 0, 'parked', 1, 1, 1);
  INSERT INTO job_list (job_id, kind, status, state, since, repo, workflow, phase, title, created_at, text)
    VALUES ('job-1', 'job', 'coding', 'waiting', 1, 'shop', 'w.md', 'coding', 't', 1, 't');
  INSERT INTO journal (actor, seq, at, event, path, effects, note) VALUES ('job-1', 3, 1, '{}', '[]', '[]', 0);`;

const INDEX = {
  label: 'coding',
  kind: 'job',
  parent: null,
  slot: true,
  waitingSince: null,
  activity: 'live',
} as const;

/** Repairs a state in which one job is damaged so; answers its row. */
function repairedJob(file: string, damage: string, inspectActor?: InspectActor) {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => db.exec(`${A_JOB} ${damage}`));
  const repair = openRepair(file, SUNDAY, inspectActor);
  const { kept } = repair.repair(`${file}.copy`);
  repair.close();
  let row: Record<string, unknown> = {};
  withState(file, (db) => {
    row = { ...db.prepare('SELECT * FROM actors').get() };
  });
  return { row, kept: kept.map(({ reason }) => reason) };
}

test('a row of the list of jobs whose chart has an unknown name is a job again', ({ file }) => {
  const { row, kept } = repairedJob(file, "UPDATE actors SET chart = 'jub'");
  assert.equal({ chart: row.chart, kept }, { chart: 'job', kept: [] });
});

test('an actor of an unknown chart that is in no list is kept', ({ file }) => {
  const { kept } = repairedJob(file, "UPDATE actors SET chart = 'jub'; DELETE FROM job_list");
  assert.equal(kept, [
    'chart is "jub", not one of job, subRuns, review, quota, proposal, schedule',
  ]);
});

test('a job whose number was lost continues after the last row of its journal', ({ file }) => {
  const { row } = repairedJob(file, 'UPDATE actors SET seq = -1');
  assert.is(row.seq, 3);
});

test('columns that its snapshot explains are made from it again', ({ file }) => {
  const { row, kept } = repairedJob(file, "UPDATE actors SET activity = '?', slot = 7", () => ({
    index: INDEX,
  }));
  assert.equal(
    { activity: row.activity, slot: row.slot, kept },
    { activity: 'live', slot: 1, kept: [] },
  );
});

test('a snapshot of a state that its chart does not have is named', ({ file }) => {
  const { kept } = repairedJob(file, '', () => ({ problem: 'cannot be restored: no state x' }));
  assert.equal(kept, ['snapshot cannot be restored: no state x']);
});

test('a number beyond 2^53 is named with all of its digits', ({ file }) => {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => {
    db.exec(
      `INSERT INTO insights (job_id, id, at, phase, category, text) VALUES ('job-1', 'i', 9007199254740993, 'p', 'c', 't');`,
    );
  });
  const inspection = inspectRows(file, SUNDAY);
  assert.equal('planned' in inspection && inspection.planned.map(({ reason }) => reason), [
    'at is 9007199254740993, not a time in ms since 1970',
  ]);
});

/** Which calls of the ledger are taken for wrong, by their number. */
function implausible(file: string, calls: Parameters<typeof aCall>[0][]): unknown {
  openStore({ file, pid: 1, now: 0 }).close();
  withState(file, (db) => {
    for (const [n, call] of calls.entries()) insertCall(db, { seq: n + 1, ...call });
  });
  const inspection = inspectRows(file, SUNDAY);
  return 'planned' in inspection && inspection.planned.map(({ row }) => row.seq);
}

test('the ledger may hold what a session may report, and a call of a model no more than a call', ({
  file,
}) => {
  assert.equal(
    implausible(file, [
      { provider: 'command', input_tokens: 9_000_000_000, output_tokens: 1_000_000_000 },
      { provider: 'command', input_tokens: 9_000_000_000, output_tokens: 1_000_000_001 },
      { provider: 'builtin', input_tokens: 90_000_000, output_tokens: 10_000_000 },
      { provider: 'builtin', input_tokens: 90_000_000, output_tokens: 10_000_001 },
      { provider: 'decision:lens', input_tokens: 100_000_001, output_tokens: 0 },
      { provider: null, input_tokens: 200_000_000, output_tokens: 0 },
    ]),
    [2, 4, 5],
  );
});

test.run();
