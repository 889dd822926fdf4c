import { createEffect, createMemo, createSignal, For, on, Show, type JSX } from 'solid-js';
import { downloadText } from '../jobs/list/exportJobs.ts';
import { loadPart } from '../shell/signals/lazyPart.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import type { DrawnWay } from './picture/drawing.ts';
import { TrailNote } from './TrailNote.tsx';
import { WayText } from './WayText.tsx';
import { fitDirection } from './fitDirection.ts';
import { ActionMenu, type MenuAction } from '../shell/controls/ActionMenu.tsx';
import { GraphBox } from './GraphBox.tsx';
import { GraphOptions } from './GraphOptions.tsx';
import { GraphMap } from './GraphMap.tsx';
import type { Graph } from './picture/graph.ts';
import {
  listPlacedItems,
  isSameItem,
  readBoxText,
  readWayText,
  type ChartItem,
  type PlacedItem,
} from './chartItems.ts';
import type { Direction } from './picture/buildLayoutInput.ts';
import type { ChartLook } from './buildChartLook.ts';
import { findItemAfterKey } from './findNeighbour.ts';
import { formatBundle } from './picture/graphSizes.ts';
import { useDrawing } from './useDrawing.ts';
import { useViewport } from './useViewport.ts';
import { encloseRects } from './viewport.ts';
import './graph.css';

interface GraphCanvasProps {
  graph: Graph;
  subject: string;
  /** `FIT`: that in which it is drawn larger. Default: `DOWN`. */
  direction?: Direction | 'FIT';
  label: string;
  look: ChartLook;
  selected: ChartItem | null;
  select: (item: ChartItem | null) => void;
  describeItem: (item: ChartItem) => string;
  /** Id of the box that is shown first, and that "Now" leads to; null = none. */
  home: string | null;
  /** What leads there. Default: `Now`. */
  homeText?: string;
  /** Id of a box to bring into view, such as the answer to a question; null = none. */
  aim: string | null;
  /** Scale to begin with, where a link names one. Default: as much as fits. */
  firstScale?: number | null;
  /** Called with the scale that a person has chosen; null = the picture chooses it again. */
  onZoom?: (scale: number | null) => void;
  /** What else can be taken out of the page, beside the picture. */
  exports?: readonly MenuAction[];
  /** What can be drawn otherwise. */
  options?: JSX.Element;
  children?: JSX.Element;
}

/** A graph as a picture: zoomed, moved, walked through by keyboard, printed. */
export function GraphCanvas(props: GraphCanvasProps) {
  let scroller: HTMLElement | undefined;
  const [svg, setSvg] = createSignal<SVGSVGElement>();
  const { drawing, problem, again } = useDrawing(
    () => props.graph,
    (measure) => {
      if (props.direction !== 'FIT') return props.direction ?? 'DOWN';
      const width = scroller?.clientWidth || window.innerWidth;
      return fitDirection(props.graph, measure, { width, height: window.innerHeight * 0.6 });
    },
  );
  const view = useViewport(() => scroller, drawing);
  const items = createMemo(() => {
    const currentDrawing = drawing();
    return currentDrawing ? listPlacedItems(currentDrawing) : [];
  });
  const homeItem = (): PlacedItem | undefined =>
    items().find(({ kind, id }) => kind === 'box' && id === props.home);
  const [at, setAt] = createSignal<ChartItem | null>(null);
  /** The one item that the Tab key stops at. */
  const stop = createMemo(() => {
    const find = (item: ChartItem | null) => items().find((one) => isSameItem(one, item));
    return find(at()) ?? find(props.selected) ?? homeItem() ?? items()[0];
  });

  let drawnSubject: string | undefined;
  createEffect(
    on(drawing, (newDrawing) => {
      if (!newDrawing || drawnSubject === props.subject) return;
      drawnSubject = props.subject;
      const { selected, firstScale } = props;
      const first = items().find((one) => isSameItem(one, selected)) ?? homeItem() ?? items()[0];
      view.begin(first?.place);
      if (firstScale && first) {
        view.zoomTo(firstScale);
        view.show(first.place);
      }
    }),
  );
  createEffect(on(view.chosenScale, (scale) => props.onZoom?.(scale), { defer: true }));
  const bring = (id: string | null) => {
    const item = items().find((one) => one.kind === 'box' && one.id === id);
    if (item) view.show(item.place, true);
  };
  createEffect(on(() => props.home, bring, { defer: true }));
  createEffect(on(() => props.aim, bring, { defer: true }));

  /** The picture as `svc machine --format svg` draws it, which needs no page around it. */
  const saveSvg = async () => {
    const currentDrawing = drawing();
    if (!currentDrawing) return;
    const { renderPicture } = await loadPart(() => import('./picture/renderPicture.ts'));
    const name = props.label.replace(/[^\w.-]+/g, '-').toLowerCase();
    downloadText(`${name}.svg`, 'image/svg+xml', renderPicture(currentDrawing, props.label));
  };
  const closeTo = (item: ChartItem) => {
    const currentDrawing = drawing();
    if (!currentDrawing) return;
    const ids = new Set([item.id]);
    for (const { edge, ways } of currentDrawing.edges) {
      const touches = edge.source === item.id || edge.target === item.id;
      if (!touches && !ways.some(({ arrow }) => arrow === item.id)) continue;
      ids.add(edge.source);
      ids.add(edge.target);
    }
    const places = items().filter(
      (one) => isSameItem(one, item) || (one.kind === 'box' && ids.has(one.id)),
    );
    const place = encloseRects(places.map((one) => one.place));
    if (place) view.closeUp(place);
  };

  function onKeyDown(event: KeyboardEvent): void {
    const from = stop();
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = findItemAfterKey(items(), from, event.key);
    if (next) {
      setAt(next);
      view.show(next.place, true);
      svg()?.querySelector<SVGGElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    } else if (event.key === 'Enter' || event.key === ' ') props.select(from);
    else if (event.key === 'Escape' && props.selected) props.select(null);
    else if (event.key === '+') view.zoomIn();
    else if (event.key === '-') view.zoomOut();
    else if (event.key === '0') view.showAll();
    else if (event.key === '.') closeTo(from);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** `label` is the visible text: with another name, voice control could not reach the item. */
  const button = (item: ChartItem, label: string) => ({
    role: 'button' as const,
    get tabindex() {
      return isSameItem(stop() ?? null, item) ? 0 : -1;
    },
    get 'aria-label'() {
      return `${label}. ${props.describeItem(item)}`;
    },
    get 'aria-pressed'() {
      return isSameItem(props.selected, item);
    },
    onClick() {
      setAt(item);
      props.select(item);
    },
  });
  const way = (drawnWay: DrawnWay) => {
    const item: ChartItem = { kind: 'way', id: drawnWay.arrow };
    return (
      <g
        class={`way ${props.look.ways.get(drawnWay.arrow) ?? ''}`}
        {...button(item, readWayText(drawnWay))}
      >
        <WayText way={drawnWay} />
      </g>
    );
  };

  return (
    <div class="graph">
      <div class="graph-bar">
        <fieldset class="graph-zoom" aria-label="Zoom">
          <button type="button" class="icon-only" aria-label="Zoom out" onClick={view.zoomOut}>
            −
          </button>
          <output aria-label="Zoom">{Math.round(view.scale() * 100)} %</output>
          <button type="button" class="icon-only" aria-label="Zoom in" onClick={view.zoomIn}>
            +
          </button>
          <button type="button" onClick={view.showAll}>
            Fit
          </button>
          <Show when={props.selected}>
            {(selectedItem) => (
              <button type="button" aria-keyshortcuts="." onClick={() => closeTo(selectedItem())}>
                Zoom to selection
              </button>
            )}
          </Show>
          <Show when={homeItem()}>
            {(home) => (
              <button type="button" onClick={() => view.show(home().place)}>
                {props.homeText ?? 'Now'}
              </button>
            )}
          </Show>
        </fieldset>
        {props.children}
        {props.options && <GraphOptions>{props.options}</GraphOptions>}
        <span class="graph-print">
          <ActionMenu
            label="Export"
            icon="download"
            actions={[
              ...(props.exports ?? []),
              {
                says: 'Save as SVG',
                icon: 'download',
                disabled: !drawing(),
                does: { run: () => void saveSvg() },
              },
              { says: 'Print', icon: 'file', does: { run: () => window.print() } },
            ]}
          />
        </span>
      </div>
      <Show when={problem()}>{(error) => <Problem error={error()} retry={again} />}</Show>
      {/* In the tab order: a box that scrolls must be reachable by keyboard. */}
      <div class="graph-frame">
        <section
          class="graph-scroll"
          ref={scroller}
          aria-label={`${props.label}: picture`}
          tabindex="0"
        >
          <Show
            when={drawing()}
            keyed
            fallback={!problem() && <p class="muted graph-wait">Drawing …</p>}
          >
            {(chart) => (
              <svg
                ref={setSvg}
                class="graph-svg"
                aria-label={`${props.label}. Arrow keys move between boxes, Enter opens one.`}
                width={chart.width * view.scale()}
                height={chart.height * view.scale()}
                viewBox={`0 0 ${chart.width} ${chart.height}`}
                onKeyDown={onKeyDown}
              >
                <For each={chart.boxes}>
                  {(box) => {
                    const { id, kind } = box.node;
                    const shape = <GraphBox box={box} />;
                    const name = () =>
                      `node ${kind} ${box.depth % 2 === 1 ? 'odd' : ''} ${props.look.boxes.get(id) ?? ''}`;
                    return kind === 'start' ? (
                      <g class={name()}>{shape}</g>
                    ) : (
                      <g class={name()} {...button({ kind: 'box', id }, readBoxText(box))}>
                        {shape}
                      </g>
                    );
                  }}
                </For>
                <g>
                  <For each={chart.edges}>
                    {({ edge, path, head, bundle }) => (
                      <g
                        class={`edge ${edge.bundle.length > 0 ? 'bundle' : ''} ${props.look.edges.get(edge.id) ?? ''}`}
                      >
                        <path class="line" d={path} />
                        <path class="head" d={head} />
                        <Show when={bundle}>
                          {(place) => (
                            <>
                              <rect class="way-ground" {...place()} rx={place().height / 2} />
                              <text
                                class="tag"
                                x={place().x + place().width / 2}
                                y={place().y + 13.5}
                                text-anchor="middle"
                              >
                                {formatBundle(edge)}
                              </text>
                            </>
                          )}
                        </Show>
                      </g>
                    )}
                  </For>
                </g>
                <For each={chart.boxes.flatMap(({ ways }) => ways)}>{way}</For>
                <For each={chart.edges.flatMap(({ ways }) => ways)}>{way}</For>
                <For each={chart.boxes}>
                  {(box) => (
                    <Show when={props.look.notes.get(box.node.id)}>
                      {(text) => <TrailNote box={box} text={text()} />}
                    </Show>
                  )}
                </For>
              </svg>
            )}
          </Show>
        </section>
        <Show when={drawing()}>
          {(chart) => (
            <GraphMap drawing={chart()} scale={view.scale()} seen={view.seen()} go={view.centre} />
          )}
        </Show>
      </div>
    </div>
  );
}
