import { createEffect, createSignal, onCleanup } from 'solid-js';
import type { Drawing } from './drawing.ts';
import { buildDrawing } from './drawing.ts';
import type { Graph } from './graph.ts';
import { computeLayout } from './layoutEngine.ts';
import { loadChartFonts } from './loadChartFonts.ts';
import { type Direction, buildLayoutInput } from './buildLayoutInput.ts';
import { createScreenMeasure } from './createScreenMeasure.ts';
import type { Measure } from './textWidth.ts';

/**
 * The drawing of a graph as soon as it is laid out; the previous one stays meanwhile. `failed` holds
 * what kept it from being drawn, null = nothing; `again` tries once more.
 */
export function useDrawing(graph: () => Graph, direction: (measure: Measure) => Direction) {
  const [drawing, setDrawing] = createSignal<Drawing>();
  const [failed, setFailed] = createSignal<unknown>(null);
  const [tries, setTries] = createSignal(0);
  const [measured, setMeasured] = createSignal<Measure>();
  void loadChartFonts().then(() => setMeasured(createScreenMeasure));
  createEffect(() => {
    tries();
    const wanted = graph();
    const measure = measured();
    if (!measure) return;
    let current = true;
    onCleanup(() => {
      current = false;
    });
    const begun = performance.now();
    computeLayout(buildLayoutInput(wanted, measure, direction(measure))).then(
      (placed) => {
        if (!current) return;
        setFailed(null);
        setDrawing(buildDrawing(wanted, placed, measure));
        performance.measure('chart layout', { start: begun });
      },
      (error: unknown) => current && setFailed(() => error),
    );
  });
  const again = () => {
    setFailed(null);
    setTries((before) => before + 1);
  };
  return { drawing, failed, again };
}
