import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { inLongLane } from '../support/longLane.ts';
import { killHomes } from './homes/homeKills.ts';

const test = suite('kills of a home, its nodes and its database');
const dbTest = defineDatabaseTests(test);

dbTest(
  'whatever is killed, nothing that was acknowledged is lost, no parcel is sent twice, no claim is passed over, and the log makes the same state (RUN-5)',
  async () => {
    const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    const { report, problems } = await killHomes({ kills: inLongLane ? 40 : 8, seed });
    console.log(`\nnote: ${JSON.stringify(report)}`);
    assert.equal(problems, [], `again with KILL_SEED=${seed}`);
    assert.ok(report.acknowledged >= 40, 'there was a load');
    assert.ok(report.generations > 2, 'the home was claimed again');
  },
);

test.run();
