import { createEffect, createSignal, onCleanup } from 'solid-js';
import { buildDrawing, type Drawing } from './picture/drawing.ts';
import type { Graph } from './picture/graph.ts';
import { computeLayout, findLayout } from './layoutEngine.ts';
import { buildLayoutInput, type Direction } from './picture/buildLayoutInput.ts';
import { FONTS, measureRoughly, type Measure } from './picture/textWidth.ts';

/** As wide as this screen draws a text, in the fonts of the theme. */
function createScreenMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return measureRoughly;
  const style = getComputedStyle(document.documentElement);
  const family = {
    true: style.getPropertyValue('--mono') || 'monospace',
    false: style.getPropertyValue('--sans') || 'sans-serif',
  };
  const knownWidths = new Map<string, number>();
  return (text, role) => {
    const key = `${role} ${text}`;
    const before = knownWidths.get(key);
    if (before !== undefined) return before;
    const { weight, px, mono } = FONTS[role];
    context.font = `${weight} ${px}px ${family[`${mono}`]}`;
    const width = context.measureText(text).width;
    knownWidths.set(key, width);
    return width;
  };
}

const readChartFonts = (): string[] => {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--sans');
  const weights = new Set(Object.values(FONTS).map(({ weight }) => weight));
  return [...weights].map((weight) => `${weight} 1rem ${family}`);
};

const areFontsLoaded = (): boolean => readChartFonts().every((font) => document.fonts.check(font));

/** The fonts of a chart's texts, loaded; texts that are measured before do not fit afterwards. */
async function loadChartFonts(): Promise<void> {
  // A font that cannot be loaded is not drawn in either.
  await Promise.allSettled(readChartFonts().map((font) => document.fonts.load(font)));
}

/** The drawing once it is laid out; the previous one stays meanwhile. `problem`: null = no error. */
export function useDrawing(graph: () => Graph, direction: (measure: Measure) => Direction) {
  const [drawing, setDrawing] = createSignal<Drawing>();
  const [problem, setProblem] = createSignal<unknown>(null);
  const [tries, setTries] = createSignal(0);
  const [screenMeasure, setScreenMeasure] = createSignal(
    areFontsLoaded() ? createScreenMeasure() : undefined,
  );
  if (!screenMeasure()) void loadChartFonts().then(() => setScreenMeasure(createScreenMeasure));
  createEffect(() => {
    tries();
    const currentGraph = graph();
    const measure = screenMeasure();
    if (!measure) return;
    let current = true;
    onCleanup(() => {
      current = false;
    });
    const beganAt = performance.now();
    const input = buildLayoutInput(currentGraph, measure, direction(measure));
    const knownLayout = findLayout(input);
    if (knownLayout) {
      setProblem(null);
      setDrawing(buildDrawing(currentGraph, knownLayout, measure));
      return;
    }
    computeLayout(input).then(
      (layout) => {
        if (!current) return;
        setProblem(null);
        setDrawing(buildDrawing(currentGraph, layout, measure));
        performance.measure('chart layout', { start: beganAt });
      },
      (error: unknown) => current && setProblem(() => error),
    );
  });
  const again = () => {
    setProblem(null);
    setTries((before) => before + 1);
  };
  return { drawing, problem, again };
}
