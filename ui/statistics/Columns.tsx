import { createUniqueId, For } from 'solid-js';
import { type Bar, compact, isLabelled, niceTop, stacked, totalOf } from './chartShapes.ts';

/** In the units of the picture, which is scaled to its place. */
const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;
const LABELS = 8;

/** Bars side by side, such as days; each may have several colours. The numbers are a table beside. */
export function Columns(props: { title: string; summary: string; bars: readonly Bar[] }) {
  const id = createUniqueId();
  const top = () => niceTop(Math.max(0, ...props.bars.map(totalOf)));
  const step = () => (WIDTH - LEFT) / Math.max(1, props.bars.length);
  const width = () => Math.min(36, step() * 0.72);
  const inner = HEIGHT - TOP - BOTTOM;
  const y = (share: number) => TOP + inner * (1 - share);
  return (
    <svg class="columns" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title id={id}>{`${props.title}. ${props.summary}`}</title>
      <For each={[0, 0.5, 1]}>
        {(share) => (
          <>
            <line class="grid" x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
            <text class="axis" x={LEFT - 6} y={y(share) + 4} text-anchor="end">
              {top() === 1 && share === 0.5 ? '' : compact(top() * share)}
            </text>
          </>
        )}
      </For>
      <For each={props.bars}>
        {(bar, n) => {
          const x = () => LEFT + step() * n() + (step() - width()) / 2;
          return (
            <g>
              <For each={stacked(bar, top())}>
                {({ tone, says, value, from, share }) => (
                  <rect
                    class={`part ${tone}`}
                    x={x()}
                    width={width()}
                    y={y(from + share)}
                    height={inner * share}
                  >
                    <title>{`${bar.label}: ${value.toLocaleString('en')} ${says}`}</title>
                  </rect>
                )}
              </For>
              {isLabelled(n(), props.bars.length, LABELS) && (
                <text
                  class="axis"
                  x={x() + width() / 2}
                  y={HEIGHT - 6}
                  text-anchor={n() === props.bars.length - 1 && step() < 40 ? 'end' : 'middle'}
                >
                  {bar.label}
                </text>
              )}
            </g>
          );
        }}
      </For>
    </svg>
  );
}
