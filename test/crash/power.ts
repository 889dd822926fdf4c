/**
 * npm run test:power [-- --rounds 200] [-- --seed 1] [-- --quiet]
 *
 * The kill loop with a loss of power: after each kill, what the runner had not synced of state.db and its log
 * is lost, all of it or page by page. Needs Linux and a C compiler. The last line is a summary as
 * JSON; the exit code is 1 when anything acknowledged was lost, doubled, stuck or spoiled.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { powerLoop } from '../support/crash/powerLoss.ts';
import { toolFlags } from '../../scripts/toolFlags.ts';

const { values } = toolFlags({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    quiet: { type: 'boolean', default: false },
  },
});

const dir = mkdtempSync(join(tmpdir(), 'svc-power-'));
try {
  const { summary, problems } = await powerLoop(dir, {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    onRound: (line) => {
      if (!values.quiet) console.log(line);
    },
  });
  for (const problem of problems) console.log(problem);
  console.log(JSON.stringify(summary));
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
