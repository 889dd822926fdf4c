/**
 * npm run test:dispatches [-- --dispatches 300] [-- --kills 40] [-- --seed 11]
 *
 * Dispatches jobs to three real runners while they and the nodes of the control plane are killed, and counts the jobs in
 * the databases of the runners. Needs PostgreSQL. Exit code 1 where a job was made twice, or not at all.
 */
import { toolFlags } from '../../scripts/toolFlags.ts';
import { findKillFaults } from '../support/cloud/findKillFaults.ts';
import { killRunners } from '../support/cloud/killRunners.ts';

const { values } = toolFlags({
  options: {
    dispatches: { type: 'string', default: '300' },
    kills: { type: 'string', default: '40' },
    seed: { type: 'string', default: '11' },
  },
});
const [dispatches, kills, seed] = [values.dispatches, values.kills, values.seed].map(Number);
const report = await killRunners({
  dispatches: dispatches ?? 300,
  kills: kills ?? 40,
  seed: seed ?? 11,
});
const faults = findKillFaults(report);
console.log(
  `${report.dispatches.length} dispatches: ${report.runnerKills} runners and ${report.nodeKills} nodes killed, ${report.jobs.join(' + ')} jobs`,
);
for (const fault of faults) console.log(`FAULT ${fault}`);
process.exit(faults.length === 0 ? 0 : 1);
