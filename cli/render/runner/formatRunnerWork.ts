import { formatCost, formatDollars } from '../../../src/base/spending/formatCost.ts';
import { describeNeeds } from '../../../src/base/jobs/describeNeeds.ts';
import type { RunnerWork } from '../../remote/readRunnerWork.ts';
import { formatAgo } from '../text/formatTimeWithAgo.ts';

/** Longest title of a job, characters. */
const MOST_TITLE = 48;
const MOST_PEOPLE = 3;

const shorten = (title: string): string =>
  title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE - 1).trimEnd()}…` : title;

function formatSpent({ cost, budget }: RunnerWork['today']): string {
  const spentText = cost.calls === 0 && cost.unpriced === 0 ? formatDollars(0) : formatCost(cost);
  return budget === null
    ? `${spentText} (UTC day); no limit is set for a day`
    : `${spentText} of ${formatDollars(budget.cap)} (UTC day)`;
}

const formatPeople = (people: readonly string[]): string =>
  people.length === 0 ? '' : ` (${people.slice(0, MOST_PEOPLE).join(', ')})`;

/** What the runner does, as rows of a name and a text; a row without a name continues the one above it. */
export function formatRunnerWork(work: RunnerWork | string, now: number): [string, string][] {
  if (typeof work === 'string') return [['Jobs', `unknown: ${work}`]];
  const { jobs, needs, asks, today } = work;
  const what = describeNeeds(needs);
  return [
    ['Jobs', `${jobs.working} working, ${jobs.queued} queued, ${jobs.waiting} waiting`],
    ['Needs you', what === '' ? 'nothing' : `${what}; all: svc jobs --needs-me`],
    ...asks.map(({ jobId, title, what: ask, people, since }): [string, string] => [
      '',
      `${jobId}  ${shorten(title)}: ${ask}${formatPeople(people)}, ${formatAgo(since, now)}`,
    ]),
    ['Spent today', formatSpent(today)],
  ];
}
