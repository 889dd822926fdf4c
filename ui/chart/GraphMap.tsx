import { For, Show } from 'solid-js';
import type { Drawing, Rect } from './picture/drawing.ts';
import { overflowsView } from './viewport.ts';
import './graphMap.css';

const SIDE_PX = 132;

/** A small map of a drawing that does not fit; pressing it leads there. For pointers only. */
export function GraphMap(props: {
  drawing: Drawing;
  scale: number;
  seen: Rect;
  go: (x: number, y: number) => void;
}) {
  const size = () => SIDE_PX / Math.max(props.drawing.width, props.drawing.height);
  const goTo = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const corner = event.currentTarget.getBoundingClientRect();
    props.go((event.clientX - corner.left) / size(), (event.clientY - corner.top) / size());
  };
  const view = () => ({
    width: props.seen.width * props.scale,
    height: props.seen.height * props.scale,
  });
  return (
    <Show when={overflowsView(props.drawing, view(), props.scale)}>
      <svg
        class="graph-map"
        aria-hidden="true"
        width={props.drawing.width * size()}
        height={props.drawing.height * size()}
        viewBox={`0 0 ${props.drawing.width} ${props.drawing.height}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          goTo(event);
        }}
        onPointerMove={(event) => event.buttons > 0 && goTo(event)}
      >
        <For each={props.drawing.boxes.filter(({ node }) => node.children.length === 0)}>
          {({ x, y, width, height }) => (
            <rect class="map-box" x={x} y={y} width={width} height={height} />
          )}
        </For>
        <rect
          class="map-seen"
          x={props.seen.x}
          y={props.seen.y}
          width={props.seen.width}
          height={props.seen.height}
        />
      </svg>
    </Show>
  );
}
