/**
 * npm run test:homes [-- --kills 1000] [-- --seed 1] [-- --quiet]
 *
 * Kills the processes of a home with a log at a control plane, the nodes of that control plane and its PostgreSQL. The last
 * line is a summary as JSON; the exit code is 1 when anything was lost, doubled or accepted from an earlier claim.
 */
import { toolFlags } from '../../../scripts/toolFlags.ts';
import { killHomes } from './homeKills.ts';

const { values } = toolFlags({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    quiet: { type: 'boolean', default: false },
  },
});

const { report, problems } = await killHomes({
  kills: Number(values.kills),
  seed: Number(values.seed),
  onKill(line) {
    if (!values.quiet) console.log(line);
  },
});
for (const problem of problems) console.log(problem);
console.log(JSON.stringify(report));
process.exit(problems.length === 0 ? 0 : 1);
