// Writes one snapshot for each state of the job chart's version, to be restored by every later
// version:
//   node --import tsx test/support/charts/writeGoldenSnapshots.ts
// A file that exists is left as it is: what was released does not change.
import { existsSync, writeFileSync } from 'node:fs';
import { jobChart } from '../../../machines/index.ts';
import { jobIn, LEAF_STATES } from './jobStates.ts';

for (const state of LEAF_STATES) {
  const file = new URL(
    `../../fixtures/snapshots/job.v${jobChart.version}.${state}.json`,
    import.meta.url,
  );
  const { snapshot } = jobIn(state);
  const golden = {
    chart: jobChart.id,
    version: jobChart.version,
    value: snapshot.value,
    snapshot: jobChart.machine.getPersistedSnapshot(snapshot),
  };
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`);
}
