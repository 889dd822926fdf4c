/**
 * npm run test:homes [-- --kills 1000] [-- --homes 2] [-- --each 60] [-- --seed 1] [-- --minutes 50] [-- --quiet]
 *
 * Kills the processes of a home with a log at a control plane, the nodes of that control plane and its PostgreSQL: so
 * many times in all, `--each` times each home, several homes beside each other, each with nodes and a PostgreSQL of its
 * own. With `--minutes` no home begins after that time. `--kills 60 --homes 1 --seed 7` repeats a home that failed.
 *
 * At the end: a summary as JSON, the problems, and the verdict on the last line. The exit code is 1 when anything was
 * lost, doubled or accepted from an earlier claim, and 2 when the time ended before all kills.
 */
import { toolFlags } from '../../../scripts/toolFlags.ts';
import { createDatabaseOn } from '../../support/cloud/createDatabaseOn.ts';
import { postgresPrograms } from '../../support/cloud/openTestDatabase.ts';
import { startTestServer, TEMPLATE } from '../../support/cloud/startTestServer.ts';
import { type HomeKillsReport, killHomes } from './homeKills.ts';

const { values } = toolFlags({
  options: {
    kills: { type: 'string', default: '1000' },
    homes: { type: 'string', default: '2' },
    each: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    minutes: { type: 'string', default: 'Infinity' },
    quiet: { type: 'boolean', default: false },
  },
});
const [kills, each] = [Number(values.kills), Number(values.each)];
const beganAt = performance.now();
const toMinutes = (): number => (performance.now() - beganAt) / 60_000;

const [program] = postgresPrograms;
if (program === undefined) throw new Error('PostgreSQL is missing (apt-get install postgresql)');

/** Of homes that are over, and of those that are played, by seed. */
const reports: HomeKillsReport[] = [];
const played = new Map<number, number>();
const problems: string[] = [];
let begun = 0;
let seed = Number(values.seed);

const countKills = (): number => [...played.values()].reduce((sum, count) => sum + count, 0);

// What these processes started ends when this one exits, which a signal alone does not see to.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

async function playHome(createDatabase: () => Promise<string>): Promise<void> {
  const [own, size] = [seed, Math.min(each, kills - begun)];
  seed += 1;
  begun += size;
  try {
    const { report, problems: found } = await killHomes({
      kills: size,
      seed: own,
      createDatabase,
      onFault(count, kind, acknowledged) {
        played.set(own, count);
        if (values.quiet) return;
        console.log(
          `${toMinutes().toFixed(1)} min, ${countKills()} of ${kills}: seed ${own}, ${kind}, ${acknowledged} acknowledged`,
        );
      },
    });
    reports.push(report);
    problems.push(...found.map((problem) => `seed ${own}: ${problem}`));
  } catch (error) {
    problems.push(`seed ${own}: ${error instanceof Error ? error.stack : String(error)}`);
  }
  const last = problems.at(-1);
  console.log(
    `${toMinutes().toFixed(1)} min, ${countKills()} of ${kills}: seed ${own} is over, ${last?.startsWith(`seed ${own}:`) ? last : 'no problem'}`,
  );
}

async function playHomes(): Promise<void> {
  if (program === undefined) return;
  const { url } = await startTestServer(program);
  for (let count = 1; begun < kills && toMinutes() < Number(values.minutes); count += 1)
    await playHome(() => createDatabaseOn(url, `home_${count}`, TEMPLATE));
}

await Promise.all(Array.from({ length: Number(values.homes) }, playHomes));

const sum = (name: 'acknowledged' | 'orders' | 'entries' | 'generations'): number =>
  reports.reduce((total, report) => total + report[name], 0);
const kinds: Record<string, number> = {};
for (const report of reports)
  for (const [kind, count] of Object.entries(report.kinds))
    kinds[kind] = (kinds[kind] ?? 0) + count;

console.log(
  JSON.stringify({
    kills: countKills(),
    homes: reports.length,
    kinds,
    killedStarts: reports.reduce((total, report) => total + report.killedStarts, 0),
    acknowledged: sum('acknowledged'),
    orders: sum('orders'),
    entries: sum('entries'),
    generations: sum('generations'),
    minutes: Number(toMinutes().toFixed(1)),
  }),
);
for (const problem of problems) console.log(problem);
const isComplete = countKills() >= kills;
const verdict =
  problems.length > 0 ? `${problems.length} problems` : isComplete ? 'no problem' : 'not all kills';
console.log(`${countKills()} of ${kills} kills: ${verdict}`);
process.exit(problems.length > 0 ? 1 : isComplete ? 0 : 2);
