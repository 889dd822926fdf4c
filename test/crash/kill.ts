/**
 * npm run test:kill [-- --rounds 200] [-- --seed 1] [-- --quiet]
 *
 * Kills the built runner at random moments under a load of jobs, messages and pull requests. The
 * last line is a summary as JSON; the exit code is 1 when anything was lost, doubled, stuck or
 * spoiled.
 */
import { killLoop } from '../support/crash/killLoop.ts';
import { toolFlags } from '../../scripts/toolFlags.ts';

const { values } = toolFlags({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    quiet: { type: 'boolean', default: false },
  },
});

const onRound = (line: string) => {
  if (!values.quiet) console.log(line);
};
const { summary, problems } = await killLoop({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  onRound,
});
for (const problem of problems) console.log(problem);
console.log(JSON.stringify(summary));
process.exitCode = problems.length === 0 ? 0 : 1;
