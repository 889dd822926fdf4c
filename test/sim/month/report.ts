import { type Month, simulateMonth } from './month.ts';
import type { Rules } from './monthHome.ts';
import { mostOf, PARTS, type Sizes } from './sizes.ts';

const WEEK_DAYS = 7;
const MIB = 1_048_576;
/** So that every kind is in balance within a week. */
const RULES: Rules = { checkouts: 2, logs: 3, archives: 7, artefacts: 7, mirrors: 7 };

/** Of each whole week the most that each part had. */
const weeksOf = ({ days }: Month): Sizes[] =>
  Array.from({ length: Math.floor(days.length / WEEK_DAYS) }, (_, week) =>
    mostOf(days.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)),
  );

/**
 * Plays a month of so many days with retention, and one without, and prints what each week had at most.
 * False where it is not bounded.
 */
export async function monthReport(days: number, jobsPerDay: number): Promise<boolean> {
  const startedAt = Date.now();
  console.log(`days after which it goes: ${JSON.stringify(RULES)}, once a day`);
  let good = true;
  for (const rules of [RULES, null]) {
    const month = await simulateMonth({
      days,
      jobsPerDay,
      rules,
      reported: (line) => console.error(line),
    });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `\n${rules ? 'with' : 'without'} retention: ${days} days, ${month.completed} of ${days * jobsPerDay} jobs complete, work of ${month.found} of ${month.leftWork} found, ${seconds} s`,
    );
    console.log(`week  ${PARTS.map((part) => `${part} MiB`.padStart(14)).join('')}`);
    for (const [week, sizes] of weeksOf(month).entries())
      console.log(
        `${String(week + 1).padEnd(6)}${PARTS.map((part) => (sizes[part] / MIB).toFixed(1).padStart(14)).join('')}`,
      );
    for (const problem of month.problems) console.log(`LEFT ${problem}`);
    if (rules) good = month.found === month.leftWork && month.problems.length === 0;
  }
  return good;
}
