import { For } from 'solid-js';
import type { DrawnWay } from './picture/drawing.ts';
import { WAY_PAD_X, WAY_PAD_Y } from './picture/graphSizes.ts';
import { LINE } from './picture/textWidth.ts';

/** What a way says, on a ground of its own, so that no line runs through the text. */
export function WayText(props: { way: DrawnWay }) {
  const { x, y, width, height, lines } = props.way;
  return (
    <>
      <rect class="way-ground" x={x} y={y} width={width} height={height} rx={6} />
      <For each={lines}>
        {(line, index) => (
          <text
            x={lines.length === 1 ? x + width / 2 : x + WAY_PAD_X}
            y={y + WAY_PAD_Y + index() * LINE + 11.5}
            text-anchor={lines.length === 1 ? 'middle' : 'start'}
          >
            <For each={line}>{(row) => <tspan class={row.role}>{`${row.text} `}</tspan>}</For>
          </text>
        )}
      </For>
    </>
  );
}
