import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median, percentile } from '../../statistics.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

/** Each letter leaves fewer jobs. */
const TYPED = '987';

/** Notes the time from each key that the field takes until the list that it leads to is painted. */
const watch = (): void => {
  const times: number[] = [];
  let since = 0;
  document.addEventListener('input', (event) => (since = event.timeStamp), { capture: true });
  const count = document.querySelector('.filter-bar .shown');
  if (count)
    new MutationObserver(() => {
      if (since === 0) return;
      const pressed = since;
      since = 0;
      requestAnimationFrame(() => {
        // After the frame that shows it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => times.push(performance.now() - pressed);
        port2.postMessage(null);
      });
    }).observe(count, { subtree: true, characterData: true, childList: true });
  Object.assign(window, { benchTaken: times });
};

/** From a letter typed into the search of the list to the narrowed list on the screen. */
export const filterRow: Row<UiPlace> = {
  figures: ['filter'],
  async measure(place, note) {
    const times: number[] = [];
    // Rows that were measured earlier have left jobs of their own.
    const { total } = await place.client.jobs({ limit: 1 });
    for (let run = 0; run < RUNS; run++) {
      await using fresh = await place.fresh('#/jobs');
      const { page } = fresh;
      await page.getByText(`of ${total.toLocaleString('en')}`).waitFor();
      await page.evaluate(watch);
      await page.locator('[data-search]').focus();
      for (const [index, key] of [...TYPED].entries()) {
        await page.keyboard.press(key);
        await page.waitForFunction(
          (count) => Reflect.get(window, 'benchTaken').length > count,
          index,
        );
      }
      times.push(...(await page.evaluate<number[]>('window.benchTaken')));
    }
    note(
      `${times.length} keys among ${total} jobs, slowest ${percentile(times, 100).toFixed(0)} ms`,
    );
    return { filter: under({ value: median(times), unit: 'ms', target: 100 }) };
  },
};
