import { ensureLayoutWorker } from '../chart/layoutWorker.ts';
import type { Route } from './navigation/router.ts';

/** How long the page rests before charts are prepared, ms. */
const REST_MS = 1_000;

/** Pages that draw at once. */
const drawsCharts = (route: Route): boolean =>
  route.page === 'machines' ||
  route.page === 'workflows' ||
  (route.page === 'job' && ['chart', 'campaign', 'journal'].includes(route.tab));

/**
 * Starts the worker that lays charts out before one is asked for: at once where the address is that
 * of a chart, else as soon as the page is idle, so that no one waits for its first start. To be
 * called once; the returned function calls it off.
 */
export function prepareCharts(route: Route): () => void {
  const prepare = () => {
    // Before the parts of the page that ask it: they load meanwhile.
    ensureLayoutWorker();
    const parts = [
      import('../chart/layoutEngine.ts').then((engine) => engine.rehearseLayout()),
      import('../chart/ChartView.tsx'),
    ];
    // A runner that is down serves no files; the page that needs them reports it.
    Promise.all(parts).catch(() => {});
  };
  if (drawsCharts(route)) {
    prepare();
    return () => {};
  }
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(prepare);
    else prepare();
  }, REST_MS);
  return () => clearTimeout(timer);
}
