import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neverAway } from '../../../src/base/concurrency/unlessAway.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import type { RequestedAct } from '../../../src/contract/runner/auditTrail.ts';
import { createAuditTrail } from '../../../src/host/audit/createAuditTrail.ts';
import { MOST_AUDIT_ROWS } from '../../../src/jobs/store/migrations/auditMigration.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { KernelError } from '../../../src/kernel/contract.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('audit: the log in the state');

const ACT: RequestedAct = {
  via: 'dashboard',
  person: null,
  address: '127.0.0.1',
  action: 'pause',
  target: {},
  jobId: 'svc-job-1',
};

const NOTHING = {
  actors: [],
  journal: [],
  outboxPut: [],
  outboxDone: [],
  timersSet: [],
  timersDrop: [],
  inbox: [],
  mailPut: [],
  mailDone: [],
  frames: [],
};

function openTrail() {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const generation = store.durable.claim();
  const writeRows = async (rows: RowChange[]): Promise<void> =>
    void (await store.durable.commit({ ...NOTHING, generation, rows }));
  const clock = new SimulatedClock();
  let isFull = false;
  const fill = () => {
    isFull = true;
  };
  const trail = createAuditTrail({
    reader: store.audit,
    async writeRows(rows) {
      if (isFull) throw new KernelError('commit-failed', 'the disk is full');
      await writeRows(rows);
    },
    clock,
    awaySince: neverAway,
    screen: (text) => text.replaceAll('a-secret', '[secret]'),
    log: silentLog,
  });
  return { store, writeRows, clock, trail, fill };
}

test('entries are listed newest first, by job, person, action and time, in pages', async () => {
  const { clock, trail } = openTrail();
  await trail.record(ACT);
  clock.advance(60_000);
  const since = new Date(clock.now()).toISOString();
  await trail.record({ ...ACT, jobId: 'svc-job-2' });
  await trail.record({ ...ACT, action: 'cancel', person: 'Ada' });
  const list = (query: Parameters<typeof trail.list>[0]) => {
    const { acts, total } = trail.list(query);
    return [total, ...acts.map(({ n }) => n)];
  };
  assert.equal(list({}), [3, 3, 2, 1]);
  assert.equal(list({ job: 'svc-job-1' }), [2, 3, 1]);
  assert.equal(list({ action: 'cancel' }), [1, 3]);
  assert.equal(list({ person: 'ada' }), [1, 3]);
  assert.equal(list({ since }), [2, 3, 2]);
  assert.equal(list({ limit: 1, offset: 1 }), [3, 2]);
});

test('a failure is added to the entry of its act', async () => {
  const { trail } = openTrail();
  await trail.recordFailure(await trail.record(ACT), 'conflict');
  assert.equal(
    trail.list({}).acts.map(({ failed }) => failed),
    ['conflict'],
  );
});

test('known secrets are taken out, and long values are cut', async () => {
  const { trail } = openTrail();
  await trail.record({ ...ACT, target: { spec: 'a-secret', keys: 'k'.repeat(600) } });
  const target = trail.list({}).acts[0]?.target;
  assert.is(target?.spec, '[secret]');
  assert.is(target?.keys?.length, 500);
});

test('numbers continue after a restart', async () => {
  const { store, writeRows, trail } = openTrail();
  await trail.record(ACT);
  const next = createAuditTrail({
    reader: store.audit,
    writeRows,
    clock: new SimulatedClock(),
    awaySince: neverAway,
    screen: (text) => text,
    log: silentLog,
  });
  assert.is(await next.record(ACT), 2);
});

test('a new entry removes what is older than the limit', async () => {
  const { store, writeRows, trail } = openTrail();
  await trail.record(ACT);
  const [row] = store.rows.all('audit_entries');
  const far = { ...row, n: MOST_AUDIT_ROWS + 1 } as NonNullable<typeof row>;
  await writeRows([{ op: 'put', table: 'audit_entries', row: far }]);
  assert.equal(
    trail.list({}).acts.map(({ n }) => n),
    [MOST_AUDIT_ROWS + 1],
  );
});

test('a state that cannot be written refuses the act by its code', async () => {
  const { trail, fill } = openTrail();
  fill();
  const error = await trail.record(ACT).then(
    () => null,
    (thrown) => thrown,
  );
  assert.is(error?.code, 'store-failed');
});

test.run();
