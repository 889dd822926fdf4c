import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { createEffect, createMemo, For, on, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { formatDateTime, formatDay, formatMinuteWithDay } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { copyMarkdown } from '../shell/controls/copyMarkdown.ts';
import { readPageAddress } from '../shell/markdown/writeMarkdown.ts';
import { formatReportMarkdown } from './formatReportMarkdown.ts';
import { ReportParts } from './ReportParts.tsx';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import '../jobs/list/jobs.css';
import '../statistics/statistics.css';
import '../budgets/budgets.css';
import './report.css';

/** How a report may begin: of `date` the person names the time. */
type Period = 'night' | '24h' | '7d' | 'date';

const PERIODS: readonly { period: Period; says: string }[] = [
  { period: 'night', says: 'Since last night' },
  { period: '24h', says: '24 hours' },
  { period: '7d', says: '7 days' },
  { period: 'date', says: 'Custom date' },
];

/** Hour of the day before, by this browser's clock, at which last night began. */
const EVENING = 18;
/** How many days ago an own date is, before one is chosen. */
const OWN_DAYS = 3;

/** What the address has after `since=`; without it, since last night. */
export const parseReportPeriod = (since: string | undefined): Period =>
  since === undefined || since === 'night'
    ? 'night'
    : since === '24h' || since === '7d'
      ? since
      : 'date';

/** The evening this many days before `now` (epoch ms), in this browser's time zone. */
function computeEveningBefore(days: number, now: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() - days);
  at.setHours(EVENING, 0, 0, 0);
  return at;
}

const padDatePart = (n: number): string => String(n).padStart(2, '0');

/** A time as a field for it takes it, in this browser's time zone: `2026-11-20T18:00`. */
export const formatLocalMinute = (at: Date): string =>
  `${at.getFullYear()}-${padDatePart(at.getMonth() + 1)}-${padDatePart(at.getDate())}T${padDatePart(at.getHours())}:${padDatePart(at.getMinutes())}`;

/** What the address names when a period is chosen. */
export const toSinceQuery = (period: Period, now: number): string =>
  period === 'date' ? formatLocalMinute(computeEveningBefore(OWN_DAYS, now)) : period;

/** An instant, or how long ago. An invalid time is passed on, so that the runner explains it. */
export function resolveAskedSince(since: string | undefined, now: number): string {
  const period = parseReportPeriod(since);
  if (since === undefined || period === 'night') return computeEveningBefore(1, now).toISOString();
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(since) && !Number.isNaN(Date.parse(since));
  return isLocal ? new Date(since).toISOString() : since;
}

/** The end of a period, with the day where it has several: `today, 14:03`. */
const formatPeriodEnd = ({ since, until }: Report, now: number): string => {
  const end = formatMinuteWithDay(until, now);
  const isToday = formatDay(until) === formatDay(now);
  return isToday && formatDay(since) !== formatDay(until) ? `today, ${end}` : end;
};

/** What happened while no one looked; the address has since when. */
export function ReportPage(props: { since: string | undefined }) {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const since = createMemo(() => resolveAskedSince(props.since, Date.now()));
  const [reading, { refetch }] = createReading(since, (from) => client.report({ since: from }));
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  const copy = () => {
    const report = reading.latest;
    if (report)
      void copyMarkdown(shell, 'report', formatReportMarkdown(report, readPageAddress(location)));
  };
  const dialog = useStore(shell, (context) => context.dialog);
  // What stands here has changed where all jobs were stopped, or continue.
  createEffect(on(dialog, (now, before) => now === null && before === 'stopAll' && again()));
  const choose = (wantedSince: string) =>
    location.replace(toRouteHash(['report'], { since: wantedSince }));
  return (
    <div class="page report-page">
      <div class="page-head">
        <h1>Report</h1>
        <IfOffered to="stopAll">
          <button type="button" onClick={() => shell.trigger.opened({ dialog: 'stopAll' })}>
            <Icon name="stop" /> Stop all jobs
          </button>
        </IfOffered>
        <HeadButton says="Copy as Markdown" icon="copy" disabled={!reading.latest} onClick={copy} />
        <HeadButton says="Refresh" icon="redo" disabled={reading.loading} onClick={again} />
        <fieldset class="periods">
          <legend class="visually-hidden">Period</legend>
          <For each={PERIODS}>
            {({ period, says }) => (
              <button
                type="button"
                aria-pressed={parseReportPeriod(props.since) === period}
                onClick={() => choose(toSinceQuery(period, Date.now()))}
              >
                {says}
              </button>
            )}
          </For>
        </fieldset>
      </div>
      <Show when={parseReportPeriod(props.since) === 'date'}>
        <label class="own-date">
          From
          <input
            type="datetime-local"
            value={props.since}
            max={formatLocalMinute(new Date())}
            onChange={({ currentTarget: { value } }) => value !== '' && choose(value)}
          />
        </label>
      </Show>
      <ReadingView reading={reading} retry={again}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(report) => (
            <div class="report-body reread" aria-busy={reading.isOld}>
              <p class="muted">
                From{' '}
                <time datetime={report().since} title={formatDateTime(report().since)}>
                  {formatMinuteWithDay(report().since, nowForAges())}
                </time>{' '}
                to{' '}
                <time datetime={report().until} title={formatDateTime(report().until)}>
                  {formatPeriodEnd(report(), nowForAges())}
                </time>
              </p>
              <ReportParts report={report()} onChanged={again} />
            </div>
          )}
        </Show>
      </ReadingView>
    </div>
  );
}
