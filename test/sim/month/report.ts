import { type Month, simulateMonth } from './month.ts';
import type { Rules } from './monthHome.ts';
import { findMaximum, PARTS, type Sizes } from './sizes.ts';

const WEEK_DAYS = 7;
const MIB = 1_048_576;
/** So that every kind is in balance before the second week ends. */
const RULES: Rules = { checkouts: 2, logs: 3, archives: 7, artefacts: 7, mirrors: 7 };
/** How much more than in the second week a part may have in the last. */
const MARGIN = 1.1;
/** Bytes of a job that may stay in state.db for good: what lists, costs and statistics are made from. */
const STAYS_BYTES = 12 * 1024;

/** Of each whole week the most that each part had. */
const findWeeklyMaxima = ({ days }: Pick<Month, 'days'>): Sizes[] =>
  Array.from({ length: Math.floor(days.length / WEEK_DAYS) }, (_, week) =>
    findMaximum(days.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)),
  );

/** What is not bounded from the second week on, as sentences. */
function unbounded(weeks: readonly Sizes[], jobsPerDay: number): string[] {
  const [second, last] = [weeks[1], weeks.at(-1)];
  if (!second || !last || weeks.length < 3) return ['a month has three weeks at least'];
  const jobs = (weeks.length - 2) * WEEK_DAYS * jobsPerDay;
  const stays = Math.round((last.state - second.state) / jobs);
  console.log(`${stays} bytes of each job stay in state.db`);
  return [
    ...PARTS.filter((part) => part !== 'state' && part !== 'all')
      .filter((part) => last[part] > second[part] * MARGIN)
      .map((part) => `${part} grows: ${second[part]} bytes, then ${last[part]}`),
    ...(stays > STAYS_BYTES ? [`${stays} bytes of a job stay in state.db`] : []),
  ];
}

/**
 * Plays so many days with retention, then without, and prints what each week had at most. False where it
 * is not bounded, or work was lost.
 */
export async function monthReport(days: number, jobsPerDay: number): Promise<boolean> {
  console.log(`days after which it goes: ${JSON.stringify(RULES)}, once a day`);
  const wrong: string[] = [];
  for (const rules of [RULES, null]) {
    const startedAt = Date.now();
    const month = await simulateMonth({
      days,
      jobsPerDay,
      rules,
      reported: (line) => console.error(line),
    });
    const { completed, found, leftWork, problems } = month;
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `\n${rules ? 'with' : 'without'} retention: ${days} days, ${completed} of ${days * jobsPerDay} jobs complete, work of ${found} of ${leftWork} found, ${seconds} s`,
    );
    const weeks = findWeeklyMaxima(month);
    console.log(`week  ${PARTS.map((part) => `${part} MiB`.padStart(14)).join('')}`);
    for (const [week, sizes] of weeks.entries())
      console.log(
        `${String(week + 1).padEnd(6)}${PARTS.map((part) => (sizes[part] / MIB).toFixed(2).padStart(14)).join('')}`,
      );
    if (rules) wrong.push(...unbounded(weeks, jobsPerDay));
    wrong.push(...problems);
    if (found < leftWork) wrong.push(`work of ${leftWork - found} jobs was lost`);
  }
  for (const sentence of wrong)
    console.log(`NOT TRUE that it is bounded and nothing is lost: ${sentence}`);
  return wrong.length === 0;
}
