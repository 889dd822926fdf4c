import { createMemo, createSignal, For, Show } from 'solid-js';
import { removeQuotedOutput } from '../../../src/base/output/chooseLastLines.ts';
import { Icon, type IconName } from '../../shell/controls/Icon.tsx';
import { useStore } from '../../shell/useStore.ts';
import { toPlainHeading } from '../../chart/picture/plainWords.ts';
import { formatDateTime, formatDuration, formatTimeWithDay } from '../jobText.ts';
import { LastOutput } from '../LastOutput.tsx';
import { toPlainReason, toPlainStatus } from '../plainText.ts';
import { isAskedOnOverview } from './isAskedOnOverview.ts';
import { useJob } from './jobView.ts';
import { PhaseBars } from './PhaseBars.tsx';
import { buildPhaseRows } from './buildPhaseRows.ts';
import { groupByVisit, joinToolCalls, type TimelineEntry, buildTimeline } from './timeline.ts';
import { useSeconds } from './useSeconds.ts';
import './timeline.css';

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  phase: 'right',
  session: 'play',
  tool: 'machine',
  wait: 'clock',
  person: 'chat',
  forge: 'merge',
  restart: 'plug',
  end: 'check',
};
const ENDS: Readonly<Record<string, IconName>> = {
  failed: 'failed',
  escalated: 'warn',
  cancelled: 'close',
};

/** Entries of a visit that are shown at first: the latest. */
const SHOWN = 40;

/** Where the time of the job went: its phases on an axis, each with what happened in it. */
export function Timeline() {
  const { store, job, reachable } = useJob();
  const journal = useStore(store, (context) => context.journal);
  const times = useStore(store, (context) => context.timeline);
  const now = useSeconds(() => !job().ended);
  const reasons = createMemo(() =>
    Object.fromEntries((times()?.spans ?? []).map(({ from, reason }) => [from, reason ?? ''])),
  );
  const entries = createMemo(() => buildTimeline(journal(), job().phases, reasons()));
  const entriesByVisit = createMemo(() => groupByVisit(entries(), times()?.visits ?? []));
  const drawnTimeline = createMemo(() => {
    const timeline = times();
    return timeline && buildPhaseRows(timeline, now());
  });
  const visits = createMemo(() => (times()?.visits ?? []).map(({ visit }) => visit));
  // Until the user chose, the last visit is open.
  const [chosenOpenness, setChosenOpenness] = createSignal<ReadonlyMap<number, boolean>>(new Map());
  const isOpen = (visit: number) => chosenOpenness().get(visit) ?? visit === visits().at(-1);
  const toggle = (visit: number) =>
    setChosenOpenness((before) => new Map(before).set(visit, !isOpen(visit)));
  return (
    <section class="section time">
      <h2>Timeline</h2>
      <Show
        when={visits().length > 0 && drawnTimeline()}
        fallback={
          <ol class="plain timeline">
            <For
              each={entries()}
              fallback={
                <li class="muted">
                  {reachable() ? 'Not started yet.' : 'Not known while its runner is away.'}
                </li>
              }
            >
              {(entry) => <Entry entry={entry} now={now()} />}
            </For>
          </ol>
        }
      >
        {(all) => (
          <PhaseBars
            axis={all().axis}
            rows={all().rows}
            now={now()}
            isOpen={isOpen}
            toggle={toggle}
          >
            {(visit) => (
              <>
                <Entries entries={joinToolCalls(entriesByVisit().get(visit) ?? [])} now={now()} />
                {/* The question above shows that of the visit it is about. */}
                <Show when={!isAskedOnOverview(job()) || visit !== job().visit}>
                  <LastOutput
                    jobId={job().id}
                    output={times()?.visits.find((one) => one.visit === visit)?.lastOutput}
                    of={`visit ${visit}`}
                  />
                </Show>
              </>
            )}
          </PhaseBars>
        )}
      </Show>
    </section>
  );
}

function Entries(props: { entries: readonly TimelineEntry[]; now: number }) {
  const [all, setAll] = createSignal(false);
  const listShownEntries = () => (all() ? props.entries : props.entries.slice(-SHOWN));
  return (
    <>
      <Show when={props.entries.length > listShownEntries().length}>
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {props.entries.length - listShownEntries().length} earlier
        </button>
      </Show>
      <ol class="plain timeline">
        <For each={listShownEntries()} fallback={<li class="muted">Nothing has happened yet.</li>}>
          {(entry) => <Entry entry={entry} now={props.now} />}
        </For>
      </ol>
    </>
  );
}

const describeTimelineEntry = ({ kind, title }: TimelineEntry): string => {
  if (kind === 'end') return toPlainStatus(title);
  return kind === 'tool' && !title.includes(' ') ? toPlainHeading(`tool.${title}`) : title;
};

/** Without the output that it quotes, which is shown below. */
const formatEntryDetail = ({ kind, detail }: TimelineEntry): string => {
  const detailText = removeQuotedOutput(detail);
  return kind === 'wait' && detailText !== '' ? toPlainReason(detailText) : detailText;
};

function Entry(props: { entry: TimelineEntry; now: number }) {
  const icon = () =>
    (props.entry.kind === 'end' && ENDS[props.entry.title]) || ICONS[props.entry.kind];
  const formatLength = () => {
    const { at, until, open } = props.entry;
    if (open) return `${formatDuration(props.now - at)} so far`;
    return until === null ? '' : formatDuration(until - at);
  };
  return (
    <li class={`${props.entry.kind} ${props.entry.open ? 'open' : ''}`}>
      <Icon name={icon()} class={props.entry.title} />
      <span class="grow">
        <Show when={props.entry.times > 1}>
          <span class="times">{props.entry.times} × </span>
        </Show>
        <bdi class="what" title={props.entry.title}>
          {describeTimelineEntry(props.entry)}
        </bdi>{' '}
        <bdi class="detail" title={props.entry.detail}>
          {formatEntryDetail(props.entry)}
        </bdi>
      </span>
      <Show when={formatLength()}>
        <small>{formatLength()}</small>
      </Show>
      <time
        datetime={new Date(props.entry.at).toISOString()}
        title={formatDateTime(props.entry.at)}
      >
        {formatTimeWithDay(props.entry.at, props.now)}
      </time>
    </li>
  );
}
