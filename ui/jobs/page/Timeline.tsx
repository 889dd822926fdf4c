import { createMemo, createSignal, For, Show } from 'solid-js';
import { Icon, type IconName } from '../../shell/Icon.tsx';
import { useStore } from '../../shell/useStore.ts';
import { clockTime, dateTime, duration } from '../jobText.ts';
import { useJob } from './jobView.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  phase: 'right',
  session: 'play',
  tool: 'machine',
  wait: 'clock',
  person: 'chat',
  forge: 'merge',
  end: 'check',
};

/** Entries that are shown at first: the latest. */
const SHOWN = 40;

/** The history of the job, oldest first. */
export function Timeline() {
  const { store, job } = useJob();
  const journal = useStore(store, (context) => context.journal);
  const times = useStore(store, (context) => context.timeline);
  const reasons = createMemo(() =>
    Object.fromEntries((times()?.spans ?? []).map(({ from, reason }) => [from, reason ?? ''])),
  );
  const entries = createMemo(() => timelineOf(journal(), job().phases, reasons()));
  const [all, setAll] = createSignal(false);
  const shown = () => (all() ? entries() : entries().slice(-SHOWN));
  return (
    <section class="card">
      <h2>Timeline</h2>
      <Show when={entries().length > shown().length}>
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {entries().length - shown().length} earlier
        </button>
      </Show>
      <ol class="plain timeline">
        <For each={shown()} fallback={<li class="muted">Not started yet.</li>}>
          {(entry) => (
            <li class={`${entry.kind} ${entry.open ? 'open' : ''}`}>
              <Icon name={ICONS[entry.kind]} />
              <span class="grow">
                <span class="what">{entry.title}</span> <span class="detail">{entry.detail}</span>
              </span>
              <Show when={entry.until}>
                {(until) => <small>{duration(until() - entry.at)}</small>}
              </Show>
              <Show when={entry.open}>
                <small>running</small>
              </Show>
              <time datetime={new Date(entry.at).toISOString()} title={dateTime(entry.at)}>
                {clockTime(entry.at)}
              </time>
            </li>
          )}
        </For>
      </ol>
    </section>
  );
}
