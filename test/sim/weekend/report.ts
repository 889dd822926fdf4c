import { actedText } from './acted.ts';
import { tableText } from './table.ts';
import { untrue, WEEKEND } from './truths.ts';
import { over, simulateWeekend } from './weekend.ts';

/** Prints one weekend: the outcome of each job, and what was not true. False where something was not. */
export async function weekendReport(seed: number): Promise<boolean> {
  const startedAt = Date.now();
  const weekend = await simulateWeekend(seed);
  const broken = untrue(weekend);
  console.log(tableText(weekend.rows));
  console.log(`\n${actedText(weekend)}`);
  const { plan, kills, endpoint, record, world } = weekend;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `\n${plan.hours} hours in ${seconds} s: ${weekend.jobs.size} jobs, ${record.starts.length} sessions, ${kills} kills, ${endpoint.met.length} limits, ${record.stops.length} stops, ${world.counts.commits} commits`,
  );
  for (const sentence of broken) console.log(`NOT TRUE that ${sentence}`);
  if (broken.length === 0) console.log(`${WEEKEND.length} truths hold (weekend ${seed})`);
  else console.log(`replay it with: npm run sim -- --weekend --seed ${seed}`);
  over(weekend);
  return broken.length === 0;
}
