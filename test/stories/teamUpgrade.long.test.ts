import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STORE_VERSION } from '../../src/jobs/store/migrations/migrations.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { waitUntil } from '../support/cloud/testTeam.ts';
import { UpgradeDrill } from '../support/cloud/upgradeDrill.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { unpackPreviousBuild } from '../support/upgrade/previousBuild.ts';

const test = suite('story: nodes and runners of a team are upgraded under load');
const dbTest = defineDatabaseTests(test);

const AFTER = join(import.meta.dirname, '..', '..');

/** What docs/operations/control-plane.md says of requests to a runner that restarts. */
const DOCUMENTED = /^(?:job|approval): 503 (?:stopping|runner-away)$/;

async function drill(order: readonly ('nodes' | 'runners')[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-previous-'));
  const before = await unpackPreviousBuild(folder);
  if (before === null) {
    console.log('left out: the history of this clone does not have the previous version');
    rmSync(folder, { recursive: true });
    return;
  }
  const it = new UpgradeDrill({ before, after: AFTER });
  try {
    const { load } = await it.open();
    if (load === null) throw new Error('no load');
    for (const part of order) await (part === 'nodes' ? it.upgradeNodes() : it.upgradeRunners());
    await load.stop();
    // One whose answer was a dispatch may not have its job yet.
    await waitUntil(async () => (await load.listOpenDispatches()).length === 0, 3 * PATIENCE_MS);
    await waitUntil(() => load.approveAll(), 3 * PATIENCE_MS);
    await waitUntil(async () => (await load.countWaitingDeliveries()) === 0, 3 * PATIENCE_MS);
    const jobs = (await load.listJobs()).map(({ id }) => id);
    const { dispatched, deliveries, refused } = load;
    assert.is(jobs.length, dispatched.size);
    assert.ok(jobs.length > 5 && deliveries.length > 20, 'there was load');
    const homes = await it.readHomes();
    assert.equal(homes.flatMap((home) => home.jobs).sort(), jobs.sort());
    for (const home of homes) {
      assert.equal(home.deliveries.sort(), [...deliveries].sort());
      assert.is(home.schema, STORE_VERSION);
    }
    assert.equal(
      [...refused.keys()].filter((what) => !DOCUMENTED.test(what)),
      [],
    );
  } finally {
    await it.close();
    rmSync(folder, { recursive: true });
  }
}

dbTest('the control plane first, then the runners: nothing is lost or done twice', () =>
  drill(['nodes', 'runners']),
);

dbTest('the runners first, then the control plane: nothing is lost or done twice', () =>
  drill(['runners', 'nodes']),
);

test.run();
