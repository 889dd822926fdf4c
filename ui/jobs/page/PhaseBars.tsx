import { For, Index, type JSX, Show } from 'solid-js';
import { Icon } from '../../shell/controls/Icon.tsx';
import { formatShortCount, formatDuration, formatTimeWithDay } from '../jobText.ts';
import { describeParkKind } from '../plainText.ts';
import type { Axis, PhaseBar, PhaseRow } from './buildPhaseRows.ts';

interface PhaseBarsProps {
  axis: Axis;
  rows: readonly PhaseRow[];
  /** Epoch ms. */
  now: number;
  isOpen: (visit: number) => boolean;
  toggle: (visit: number) => void;
  children: (visit: number) => JSX.Element;
}

const KINDS: Readonly<Record<PhaseBar['kind'], string>> = {
  queued: 'Queued',
  working: 'Working',
  waiting: 'Waiting',
  session: 'Session',
};

const LEGEND = ['session', 'working', 'waiting', 'queued'] as const;

/** The visits of phases as bars on one axis of time; each opens to what happened in it. */
export function PhaseBars(props: PhaseBarsProps) {
  const formatTitle = (bar: PhaseBar): string => {
    const what = bar.span?.waitsFor ? describeParkKind(bar.span.waitsFor) : KINDS[bar.kind];
    const length = `${formatDuration(bar.to - bar.from)}${bar.open ? ' so far' : ''}`;
    return `${what}, ${length}, from ${formatTimeWithDay(bar.from, props.now)}`;
  };
  return (
    <div class="phase-bars">
      <p class="legend" aria-hidden="true">
        <For each={LEGEND}>
          {(kind) => (
            <span>
              <i class={`bar ${kind}`} /> {KINDS[kind]}
            </span>
          )}
        </For>
        <Show when={props.rows.some(({ restarts }) => restarts.length > 0)}>
          <span>
            <i class="restart-tick" /> Runner restarted
          </span>
        </Show>
      </p>
      <div class="axis" aria-hidden="true">
        <span class="end">{formatTimeWithDay(props.axis.from, props.now)}</span>
        <For each={props.axis.ticks}>
          {({ left, text }) => (
            <span class="tick" style={{ left: `${left}%` }}>
              <Show when={left > 14 && left < 82}>{text}</Show>
            </span>
          )}
        </For>
      </div>
      <ol class="plain">
        <Index each={props.rows}>
          {(row) => (
            <li class="phase-row">
              <h3>
                <button
                  type="button"
                  class="quiet"
                  aria-expanded={props.isOpen(row().visit.visit)}
                  onClick={() => props.toggle(row().visit.visit)}
                >
                  <Icon name={props.isOpen(row().visit.visit) ? 'down' : 'right'} />
                  <bdi>{row().visit.phase}</bdi>
                </button>
              </h3>
              <p class="numbers">{describeVisitNumbers(row())}</p>
              <div
                class="track"
                role="img"
                aria-label={`${row().visit.phase}: ${describeVisitNumbers(row())}`}
              >
                <For each={row().bars}>
                  {(bar) => (
                    <span
                      class={`bar ${bar.kind}`}
                      classList={{ open: bar.open }}
                      style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
                      title={formatTitle(bar)}
                    />
                  )}
                </For>
                <For each={row().restarts}>
                  {({ left, at }) => (
                    <span
                      class="restart-tick"
                      style={{ left: `${left}%` }}
                      title={`Runner restarted here, ${formatTimeWithDay(at, props.now)}`}
                    />
                  )}
                </For>
              </div>
              <Show when={props.isOpen(row().visit.visit)}>
                <div class="happened">{props.children(row().visit.visit)}</div>
              </Show>
            </li>
          )}
        </Index>
      </ol>
    </div>
  );
}

function describeVisitNumbers({ visit, restarts, tokens }: PhaseRow): string {
  const { workMs, waitMs, queuedMs } = visit;
  return [
    workMs > 0 && `${formatDuration(workMs)} work`,
    waitMs > 0 && `${formatDuration(waitMs)} wait`,
    queuedMs >= 1_000 && `${formatDuration(queuedMs)} queued`,
    tokens && `${formatShortCount(tokens.read)} in, ${formatShortCount(tokens.written)} out`,
    restarts.length > 0 &&
      `runner restarted${restarts.length > 1 ? ` ${restarts.length} times` : ''}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
