import { createEffect, For, on, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { describePhaseOutcome } from '../../src/base/jobs/describePhaseOutcome.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { JobLink } from '../jobs/JobLink.tsx';
import { useStore } from '../shell/useStore.ts';
import { RatingFigures } from './RatingFigures.tsx';
import { ModeSwitch } from './ModeSwitch.tsx';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import '../report/report.css';
import './ratings.css';

/** How right the decision layer has been, what it would have paused, and what it may do. */
export function RatingsPage() {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [reading, { refetch }] = createReading(() => client.trackRecord());
  const again = () => void refetch();
  createEffect(on(reconnects, again, { defer: true }));
  return (
    <div class="page report-page ratings-page">
      <div class="page-head">
        <h1>Ratings</h1>
        <HeadButton says="Refresh" icon="redo" disabled={reading.loading} onClick={again} />
      </div>
      <ReadingView reading={reading} retry={again}>
        <Show when={reading.latest} fallback={<p class="muted">Loading …</p>}>
          {(record) => (
            <>
              <ModeSwitch record={record()} onChanged={again} />
              <section class="section" aria-labelledby="track-record">
                <h2 id="track-record">Track record</h2>
                <p class="muted">
                  Last 90 days: {record().of} {record().of === 1 ? 'question' : 'questions'}
                  {record().of > record().counted ? `, the newest ${record().counted} counted` : ''}
                  . How work turned out is read from what people do afterwards.
                </p>
                <For each={record().ratedBy} fallback={<p class="muted">Nothing was rated yet.</p>}>
                  {(one) => <RatingFigures of={one} />}
                </For>
              </section>
              <section class="section" aria-labelledby="pauses">
                <h2 id="pauses">Flagged phases</h2>
                <Show
                  when={record().pauses.length > 0}
                  fallback={<p class="muted">No phase was flagged.</p>}
                >
                  <ul class="plain items">
                    <For each={record().pauses}>
                      {(pause) => (
                        <li class="pause">
                          <span class="grow">
                            <JobLink jobId={pause.jobId} />, phase <bdi>{pause.phase}</bdi>:{' '}
                            <span dir="auto">{pause.flag}</span>
                          </span>
                          <span class={`pill ${pause.paused ? 'needs-you' : 'over'}`}>
                            {pause.paused ? 'Paused' : 'Would have paused'}
                          </span>
                          <span class="turned-out">{describePhaseOutcome(pause.outcome)}</span>
                          <small title={formatDateTime(pause.at)}>
                            {formatAge(pause.at, nowForAges())}
                          </small>
                        </li>
                      )}
                    </For>
                  </ul>
                </Show>
              </section>
            </>
          )}
        </Show>
      </ReadingView>
    </div>
  );
}
