import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findKillFaults } from '../../support/cloud/findKillFaults.ts';
import { killRunners } from '../../support/cloud/killRunners.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';

const test = suite('cloud: dispatches to real runners that are killed');
const dbTest = defineDatabaseTests(test);

dbTest(
  'the databases of the runners have each job once: 30 dispatches, 6 kills (CLD-5)',
  async () => {
    const report = await killRunners({ dispatches: 30, kills: 6, seed: 7 });
    assert.equal(findKillFaults(report), []);
    assert.ok(report.runnerKills > 0 && report.nodeKills > 0);
  },
);

test('a job that was made twice, or not at all, is found', () => {
  const dispatches = ['a', 'b'].map((id) => ({ id, state: 'placed', reason: '', jobId: id }));
  const report = { dispatches, runnerKills: 1, nodeKills: 1, unexplained: 0 };
  assert.equal(findKillFaults({ ...report, made: [['a'], ['b']], jobs: [1, 1] }), []);
  assert.is(findKillFaults({ ...report, made: [['a'], ['a', 'b']], jobs: [1, 2] }).length, 1);
  assert.is(findKillFaults({ ...report, made: [['a'], []], jobs: [1, 0] }).length, 1);
  assert.is(findKillFaults({ ...report, made: [['a'], ['b']], jobs: [1, 2] }).length, 1);
});

test.run();
