import { createMemo, createSignal, For, Show, Suspense } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { createLazyPart } from '../../shell/signals/lazyPart.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { useStore } from '../../shell/useStore.ts';
import { VirtualList } from '../../shell/lists/VirtualList.tsx';
import { formatDateTime, formatDuration, formatTimeWithDay } from '../jobText.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { useJob } from '../page/jobView.ts';
import { describeJournalEvent, describeStep } from './describeStep.ts';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import './journal.css';
import type { JournalEntry } from '../../../src/contract/schema/api/replies.ts';

/** Dotted paths of the states after a step: where the last step that moved the job has led. */
export function findStateAfterStep(journal: readonly JournalEntry[], index: number): string[] {
  for (let at = Math.min(index, journal.length - 1); at >= 0; at -= 1) {
    const last = journal[at]?.path.at(-1);
    if (last !== undefined) return [last];
  }
  return [];
}

const ChartView = createLazyPart(async () => (await import('../../chart/ChartView.tsx')).ChartView);

/** Shorter times between two steps are not shown, ms. */
const NOTABLE_MS = 1_000;

/** Height of a row, px, before it was measured. */
const ROW_PX = 30;

/** Every event that the job took; a step at a time, with the states it led to. */
export function JournalTab() {
  const { client } = useDashboard();
  const { store, job } = useJob();
  const [machine] = createReading(() => client.machine(job().id));
  const journal = useStore(store, (context) => context.journal);
  const [at, setAt] = createSignal(Math.max(0, journal().length - 1));
  const row = () => journal()[Math.min(at(), journal().length - 1)];
  const state = createMemo(() => findStateAfterStep(journal(), at()));
  const [technical, setTechnical] = createSignal(false);
  const sentences = createMemo(() => {
    const entry = row();
    return entry ? describeStep(entry, findStateAfterStep(journal(), at() - 1)) : [];
  });
  // A view at the end follows new steps.
  runOnChange(
    () => journal().length,
    (now, before) => at() >= (before ?? 0) - 1 && setAt(Math.max(0, now - 1)),
    { defer: true },
  );
  /** Time since the step before; empty where it came at once. */
  const sinceBefore = (index: number): string => {
    const [entry, before] = [journal()[index], journal()[index - 1]];
    const ms = entry && before ? entry.at - before.at : 0;
    return ms < NOTABLE_MS ? '' : `+${formatDuration(ms)}`;
  };
  const step = (by: number) =>
    setAt((now) => Math.min(Math.max(0, now + by), journal().length - 1));

  return (
    <Show when={row()} fallback={<p class="empty">Nothing has happened yet.</p>}>
      {(shownEntry) => (
        <section class="journal" aria-label="Journal">
          <div class="scrubber">
            <button
              type="button"
              class="icon-only"
              aria-label="Step back"
              disabled={at() <= 0}
              onClick={() => step(-1)}
            >
              <Icon name="left" />
            </button>
            <input
              type="range"
              aria-label="Step of the journal"
              aria-valuetext={`${at() + 1} of ${journal().length}: ${shownEntry().event.type}`}
              min="0"
              max={journal().length - 1}
              value={at()}
              onInput={(event) => setAt(Number(event.currentTarget.value))}
            />
            <button
              type="button"
              class="icon-only"
              aria-label="Step forward"
              disabled={at() >= journal().length - 1}
              onClick={() => step(1)}
            >
              <Icon name="right" />
            </button>
            <small>
              {at() + 1} of {journal().length}
            </small>
            <label>
              <input
                type="checkbox"
                checked={technical()}
                onChange={({ currentTarget }) => setTechnical(currentTarget.checked)}
              />
              Technical terms
            </label>
          </div>
          <div class="journal-columns">
            <VirtualList
              class="journal-list"
              label="Events"
              items={journal()}
              estimate={() => ROW_PX}
              shown={at()}
              row={(entry, index) => (
                <button
                  type="button"
                  class="journal-row"
                  aria-current={index() === at() ? 'true' : undefined}
                  onClick={() => setAt(index())}
                >
                  <small>{entry().seq}</small>
                  <span
                    class="grow"
                    classList={{ restarted: entry().event.type === 'kernel.recovered' }}
                  >
                    <span title={entry().event.type}>
                      {technical() ? entry().event.type : describeJournalEvent(entry().event.type)}
                    </span>
                  </span>
                  <small>{sinceBefore(index())}</small>
                  <small>{formatTimeWithDay(entry().at, nowForAges())}</small>
                </button>
              )}
            />
            <div class="stack" aria-live="polite">
              <section class="section">
                <div class="section-head">
                  <h2>{describeJournalEvent(shownEntry().event.type)}</h2>
                  <small title={formatDateTime(shownEntry().at)}>
                    {formatTimeWithDay(shownEntry().at, nowForAges())} · row {shownEntry().seq}
                  </small>
                </div>
                <For each={sentences()}>{(sentence) => <p dir="auto">{sentence}</p>}</For>
              </section>
              <Show when={technical()}>
                <section class="section" aria-label="Technical terms of this step">
                  <dl class="facts">
                    <dt>Event</dt>
                    <dd>
                      <code>{shownEntry().event.type}</code>
                    </dd>
                    <dt>State after it</dt>
                    <dd>
                      <code>{state().join(', ')}</code>
                    </dd>
                    <dt>Passed</dt>
                    <dd>
                      {shownEntry().path.length === 0 ? 'unchanged' : shownEntry().path.join(' → ')}
                    </dd>
                    <dt>Effects</dt>
                    <dd>
                      {shownEntry()
                        .effects.map(({ type }) => type)
                        .join(', ') || 'none'}
                    </dd>
                  </dl>
                  <pre class="json" tabindex="0">
                    {JSON.stringify(shownEntry().event, null, 2)}
                  </pre>
                </section>
              </Show>
            </div>
          </div>
          <Show when={!machine.error && machine.latest}>
            {(chart) => (
              <section aria-label="The chart at this step">
                <Suspense fallback={<p class="muted">Loading the chart …</p>}>
                  <ChartView machine={chart()} state={state()} technical={technical()} />
                </Suspense>
              </section>
            )}
          </Show>
        </section>
      )}
    </Show>
  );
}
