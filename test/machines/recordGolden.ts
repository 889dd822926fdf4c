// Writes a snapshot of every state of the present version of the job chart, for test/machines/golden.test.ts:
//   node --import tsx test/machines/recordGolden.ts
// Those of released versions are never written again.
import { writeFileSync } from 'node:fs';
import { jobChart } from '../../machines/index.ts';
import { jobIn, LEAF_STATES } from '../support/jobStates.ts';

for (const state of LEAF_STATES) {
  const { status, value, historyValue, context } = jobIn(state).snapshot;
  const golden = {
    ...{ chart: jobChart.id, version: jobChart.version, value },
    snapshot: { status, value, historyValue, context, children: {} },
  };
  const file = new URL(`../fixtures/snapshots/job.v${jobChart.version}.${state}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`);
}
