import { createEffect, createMemo, For, on, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { formatDateTime, formatMinuteWithDay } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { ReportParts } from './ReportParts.tsx';
import {
  resolveAskedSince,
  formatLocalMinute,
  PERIODS,
  parseReportPeriod,
  toSinceQuery,
} from './reportPeriod.ts';
import '../jobs/list/jobs.css';
import '../statistics/statistics.css';
import '../budgets/budgets.css';
import './report.css';

/** What happened while no one looked; the address has since when. */
export function ReportPage(props: { since: string | undefined }) {
  const { client, shell } = useDashboard();
  const healed = useStore(shell, (context) => context.healed);
  const since = createMemo(() => resolveAskedSince(props.since, Date.now()));
  const [found, { refetch }] = createReading(since, (from) => client.report({ since: from }));
  const again = () => void refetch();
  createEffect(on(healed, again, { defer: true }));
  const dialog = useStore(shell, (context) => context.dialog);
  // What stands here has changed where all jobs were stopped, or continue.
  createEffect(on(dialog, (now, before) => now === null && before === 'stopAll' && again()));
  const choose = (wanted: string) => location.replace(toRouteHash(['report'], { since: wanted }));
  return (
    <div class="page report-page">
      <div class="page-head">
        <h1>Report</h1>
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
        <button type="button" onClick={() => shell.trigger.opened({ dialog: 'stopAll' })}>
          <Icon name="stop" /> Stop all jobs
        </button>
        <button type="button" class="quiet" disabled={found.loading} onClick={again}>
          <Icon name="redo" /> Refresh
        </button>
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
      <Show when={!found.error} fallback={<Problem error={found.error} retry={again} />}>
        <Show when={found.latest} fallback={<p class="muted">Loading …</p>}>
          {(report) => (
            <>
              <p class="muted">
                From{' '}
                <time datetime={report().since} title={formatDateTime(report().since)}>
                  {formatMinuteWithDay(report().since, nowForAges())}
                </time>{' '}
                to{' '}
                <time datetime={report().until} title={formatDateTime(report().until)}>
                  {formatMinuteWithDay(report().until, nowForAges())}
                </time>
              </p>
              <ReportParts report={report()} onChanged={again} />
            </>
          )}
        </Show>
      </Show>
    </div>
  );
}
