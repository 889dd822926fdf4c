import type { NotificationKind } from '../../base/settings/notificationKinds.ts';
import { type Fact, SCHEDULE_PAUSED } from '../rules/fact.ts';
import type { NotificationItem } from './notificationMessage.ts';

interface FactWords {
  /** What has happened, in two or three words. */
  label: string;
  /** Why, where neither the fact nor its job says it. */
  why: string;
}

const WORDS: Readonly<Record<string, FactWords>> = {
  approval: { label: 'Waiting for your approval', why: 'A checkpoint needs your approval.' },
  input: { label: 'Waiting for your answer', why: 'It cannot continue without an answer.' },
  external: { label: 'Waiting for a report', why: 'It waits for something outside of svc.' },
  review: { label: 'Waiting for a review', why: 'A pull request waits for a review or its merge.' },
  'open-pr': {
    label: 'Pull request still open',
    why: 'The job is complete and has left a pull request open.',
  },
  halted: { label: 'Campaign halted', why: 'A sub-run failed, and the others wait.' },
  failed: { label: 'Failed', why: 'The job has failed.' },
  escalated: { label: 'Escalated', why: 'The agent could not continue.' },
  [SCHEDULE_PAUSED]: {
    label: 'Schedule paused',
    why: 'It has failed three times in a row. Fix the cause, then resume it.',
  },
  budget: { label: 'Budget spent', why: 'The job waits until the budget is raised.' },
  warning: { label: 'Budget nearly spent', why: 'Most of a budget is spent.' },
  exhausted: {
    label: 'Account at its limit',
    why: 'Its jobs wait, and continue by themselves after the reset.',
  },
  failing: {
    label: 'Account failing',
    why: 'Sessions of the account fail immediately. Its jobs wait, and one of them retries it.',
  },
  billing: {
    label: 'Account unpaid',
    why: 'Waiting does not help. Pay its bill, then run svc accounts retry.',
  },
  'disk-low': { label: 'Disk nearly full', why: 'No session starts until space is free.' },
  'forge-away': {
    label: 'Forge away',
    why: 'Jobs hear nothing of their pull requests until it answers.',
  },
  'upgrade-failed': {
    label: 'Upgrade taken back',
    why: 'The release before it runs.',
  },
  report: { label: 'Report', why: '' },
};

/** Page of the dashboard for facts that are not about a job. */
const PAGES: Readonly<Record<NotificationKind, string>> = {
  'needs-you': 'inbox',
  broken: 'inbox',
  budget: 'budgets',
  account: 'budgets',
  runner: 'inbox',
  report: 'report',
};

/** A fact in words, and the page of the dashboard that shows it. */
export function describeFact({
  kind,
  reason,
}: Pick<Fact, 'kind' | 'reason'>): FactWords & { page: string } {
  return {
    ...(WORDS[reason] ?? { label: reason, why: '' }),
    page: reason === SCHEDULE_PAUSED ? 'schedules' : PAGES[kind],
  };
}

const COUNTED: Readonly<
  Record<NotificationKind | 'schedule', readonly [one: string, more: string]>
> = {
  'needs-you': ['1 job needs you', 'jobs need you'],
  broken: ['1 job is broken', 'jobs are broken'],
  schedule: ['1 schedule is paused', 'schedules are paused'],
  budget: ['1 budget notice', 'budget notices'],
  account: ['1 account notice', 'account notices'],
  runner: ['1 runner notice', 'runner notices'],
  report: ['1 report', 'reports'],
};

/** An item on one line: what has happened, and to what. */
export const describeItem = ({
  label,
  title,
}: Pick<NotificationItem, 'label' | 'title'>): string =>
  title === label ? label : `${label}: ${title}`;

/** Title of a message: its only item, or how many of each kind, such as `40 jobs need you, 1 job is broken`. */
export function describeKinds(items: readonly NotificationItem[]): string {
  const [first] = items;
  if (items.length === 1 && first !== undefined) return describeItem(first);
  const counts = new Map<keyof typeof COUNTED, number>();
  for (const { kind, schedule } of items) {
    const group = schedule === null ? kind : 'schedule';
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts]
    .map(([group, count]) => (count === 1 ? COUNTED[group][0] : `${count} ${COUNTED[group][1]}`))
    .join(', ');
}
