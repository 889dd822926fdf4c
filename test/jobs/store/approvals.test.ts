import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../../src/kernel/sqlite/database.ts';
import { MIGRATIONS } from '../../../src/jobs/store/migrations/migrations.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';

const test = suite('store: approvals of svc 0.2');

/** Version of the store in svc 0.2. */
const RELEASED = 6;

interface Visit {
  visit: number;
  phase: string;
  at: number;
  by?: string;
}

/**
 * What the snapshot of a job of svc 0.2 knows of approvals once its store is brought up to date.
 */
function migrated(context: Record<string, unknown>, visits: readonly Visit[]): unknown {
  const dir = mkdtempSync(join(tmpdir(), 'svc-approvals-'));
  const file = join(dir, 'state.db');
  openStore({ file, pid: 1, now: 0, migrations: MIGRATIONS.slice(0, RELEASED) }).close();
  const old = new Database(file);
  old.run(
    `INSERT INTO actors (id, chart, version, snapshot, generation, seq, frame_seq, label, kind, slot, activity, created_at, updated_at, since)
       VALUES ('a', 'job', 2, ?, 1, 1, 1, '', 'job', 0, 'parked', 0, 0, 0)`,
    JSON.stringify({ context }),
  );
  for (const { visit, phase, at, by = null } of visits) {
    old.run(
      "INSERT INTO phase_visits (job_id, visit, phase, status, started_at, sessions, approved_by) VALUES ('a', ?, ?, 's', ?, 1, ?)",
      visit,
      phase,
      at,
      by,
    );
  }
  old.close();
  const store = openStore({ file, pid: 1, now: 0 });
  const { snapshot } = store.durable.actor('a') ?? { snapshot: '{}' };
  store.close();
  rmSync(dir, { recursive: true });
  return JSON.parse(snapshot).context.approvals;
}

const NOTHING = { first: {}, subRuns: null };

test('approvals in rows of visits count, by people and in advance (JOB-5 RUN-4)', () => {
  const visits: Visit[] = [
    { visit: 1, phase: 'planning', at: 10, by: 'developer' },
    { visit: 2, phase: 'review', at: 20, by: 'autoApprove' },
    { visit: 3, phase: 'coding', at: 30 },
  ];
  assert.equal(migrated({ visit: 3, workflowPathHistory: [] }, visits), {
    ...NOTHING,
    at: 'coding',
    given: false,
    approved: ['planning', 'review'],
  });
});

test('a visit that is approved and not yet left is approved (RUN-4)', () => {
  const visits: Visit[] = [{ visit: 1, phase: 'planning', at: 10, by: 'developer' }];
  assert.equal(migrated({ visit: 1, workflowPathHistory: [] }, visits), {
    ...NOTHING,
    at: 'planning',
    given: true,
    approved: ['planning'],
  });
});

test('approvals of a workflow that the job has left do not count in the present one', () => {
  const at = Date.UTC(2026, 5, 1, 12, 0, 0, 123);
  const visits: Visit[] = [
    { visit: 1, phase: 'planning', at: at - 1, by: 'developer' },
    { visit: 2, phase: 'design', at, by: 'developer' },
    { visit: 3, phase: 'coding', at: at + 1 },
  ];
  const history = [{ at: new Date(at).toISOString() }];
  assert.equal(migrated({ visit: 3, workflowPathHistory: history }, visits), {
    ...NOTHING,
    at: 'coding',
    given: false,
    approved: ['design'],
  });
});

test('a job that has visited nothing has nothing approved', () => {
  assert.equal(migrated({ visit: 0, workflowPathHistory: [] }, []), {
    ...NOTHING,
    at: null,
    given: false,
    approved: [],
  });
});

test.run();
