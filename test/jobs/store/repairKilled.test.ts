import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import { openRepair } from '../../../src/jobs/store/repair/openRepair.ts';
import { longLane } from '../../support/longLane.ts';

const test = suite<{ dir: string; file: string }>('store: a repair that is killed in its middle');
const long = longLane(test);

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = join(ROOT, 'src');

/** Repairs the state of its first argument, and kills itself at the statement of its second. */
const PROGRAM = `
import { Database } from '${SOURCES}/kernel/sqlite/database.ts';
import { openRepair } from '${SOURCES}/jobs/store/repair/openRepair.ts';
const [file, last] = process.argv.slice(2);
const repair = openRepair(file, 1);
const { run } = Database.prototype;
let count = 0;
Database.prototype.run = function (...call) {
  if (++count === Number(last)) process.kill(process.pid, 'SIGKILL');
  return run.apply(this, call);
};
repair.repair(file + '.copy');
repair.close();`;

/** Where packages are found; made once, since loading its sources takes longer than the repairs. */
const built = join(ROOT, '.cache', `repairKilled-${process.pid}.mjs`);
test.before(async () => {
  mkdirSync(dirname(built), { recursive: true });
  await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    outfile: built,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
});
test.after(() => rmSync(built, { force: true }));

/** A state with two rows that cannot be read, and one that can. */
test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-repair-killed-'));
  context.file = join(context.dir, 'state.db');
  openStore({ file: context.file, pid: 1, now: 0 }).close();
  const db = new DatabaseSync(context.file);
  db.exec(
    `INSERT INTO mail (id, receiver, event) VALUES ('a/1/0', 'b', '{"cut'), ('a/1/1', 'b', '{"type":"x"}');
     INSERT INTO retention_runs (at, reply) VALUES (18014398509481982, '{}');`,
  );
  db.close();
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** Repairs it in another process, which kills itself at its n-th statement; answers whether it came so far. */
const killedAt = (file: string, n: number): boolean =>
  spawnSync(process.execPath, [built, file, String(n)]).signal === 'SIGKILL';

/** Repairs it; answers how many rows it found to repair. */
function repair(file: string): number {
  const opened = openRepair(file, 1);
  const faultCount = opened.planned.length;
  if (faultCount > 0) opened.repair(`${file}.copy2`);
  opened.close();
  return faultCount;
}

/** 1: before the copy; 2: before the transaction; 5: between two rows; 7: before the commit. */
for (const n of [1, 2, 3, 4, 5, 6, 7])
  (n === 5 ? test : long)(
    `at statement ${n}: nothing is lost, the next repair repairs all of it, and the next start reads it`,
    ({ file, dir }) => {
      assert.ok(killedAt(file, n), 'it has fewer statements');
      openStore({ file, pid: 1, now: 0 }).close();
      assert.equal([repair(file), repair(file)], [2, 0]);
      const store = openStore({ file, pid: 1, now: 0 });
      assert.equal(
        store.durable.listPendingMail().map(({ id }) => id),
        ['a/1/1'],
      );
      store.close();
      assert.equal(
        readdirSync(dir).filter((name) => name.endsWith('.draft')),
        [],
      );
    },
  );

test.run();
