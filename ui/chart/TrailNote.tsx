import type { DrawnBox } from './picture/drawing.ts';
import { LINE, measureRoughly } from './picture/textWidth.ts';

const PAD = 6;

/**
 * The places and times of a state in the path that is drawn, at the corner of its box. The name of
 * the box says the same.
 */
export function TrailNote(props: { box: DrawnBox; text: string }) {
  const width = () => measureRoughly(props.text, 'tag') + 2 * PAD;
  return (
    <svg
      class="trail-note"
      aria-hidden="true"
      x={props.box.x + props.box.width - width() - PAD}
      y={props.box.y - LINE / 2}
      width={width()}
      height={LINE}
    >
      <rect class="way-ground" width={width()} height={LINE} rx={LINE / 2} />
      <text class="tag" x={width() / 2} y={LINE - 4} text-anchor="middle">
        {props.text}
      </text>
    </svg>
  );
}
