import { createMemo, createSignal, createUniqueId, For, onCleanup, onMount } from 'solid-js';
import {
  type Bar,
  formatCompact,
  isLabelled,
  pickAxisTop,
  stackBarParts,
  sumBarParts,
} from './chartShapes.ts';

/** Until the place is measured, px. */
const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 10;
/** Width of a label with the space around it, px. */
const LABEL = 64;

/** Bars side by side, such as days; each may have several colours. The numbers are a table beside. */
export function ColumnChart(props: {
  title: string;
  summary: string;
  bars: readonly Bar[];
  /** A value in words, and short enough for the axis; default: a number. */
  formatValue?: (value: number) => string;
  formatAxisValue?: (value: number) => string;
}) {
  const id = createUniqueId();
  let svg: SVGSVGElement | undefined;
  const [width, setWidth] = createSignal(WIDTH);
  onMount(() => {
    // Drawn in pixels, so that texts keep their size on a phone.
    const watch = new ResizeObserver(([entry]) =>
      setWidth(Math.max(200, Math.round(entry?.contentRect.width ?? WIDTH))),
    );
    if (svg) watch.observe(svg);
    onCleanup(() => watch.disconnect());
  });
  const labels = () => Math.max(2, Math.floor((width() - LEFT) / LABEL));
  const top = createMemo(() => pickAxisTop(Math.max(0, ...props.bars.map(sumBarParts))));
  const step = createMemo(() => (width() - LEFT) / Math.max(1, props.bars.length));
  const thick = () => Math.min(36, step() * 0.72);
  const inner = HEIGHT - TOP - BOTTOM;
  const y = (share: number) => TOP + inner * (1 - share);
  return (
    <svg
      class="column-chart"
      ref={svg}
      viewBox={`0 0 ${width()} ${HEIGHT}`}
      height={HEIGHT}
      role="img"
      aria-labelledby={id}
    >
      <title id={id}>{`${props.title}. ${props.summary}`}</title>
      <For each={[0, 0.5, 1]}>
        {(share) => (
          <>
            <line class="grid" x1={LEFT} x2={width()} y1={y(share)} y2={y(share)} />
            <text class="axis" x={LEFT - 6} y={y(share) + 4} text-anchor="end">
              {Number.isInteger(top() * share)
                ? (props.formatAxisValue ?? formatCompact)(top() * share)
                : ''}
            </text>
          </>
        )}
      </For>
      <For each={props.bars}>
        {(bar, n) => {
          const x = () => LEFT + step() * n() + (step() - thick()) / 2;
          return (
            <g>
              <For each={stackBarParts(bar, top())}>
                {({ tone, says, value, from, share }) => (
                  <rect
                    class={`part ${tone}`}
                    x={x()}
                    width={thick()}
                    y={y(from + share)}
                    height={inner * share}
                  >
                    <title>{`${bar.label}: ${props.formatValue?.(value) ?? value.toLocaleString('en')} ${says}`}</title>
                  </rect>
                )}
              </For>
              {isLabelled(n(), props.bars.length, labels()) && (
                <text
                  class="axis"
                  x={x() + thick() / 2}
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
