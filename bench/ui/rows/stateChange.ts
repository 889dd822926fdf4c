import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { parkedId } from '../../seedJobs.ts';
import { median, percentile } from '../../statistics.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

const CHANGES = 5;

/** Notes when state or phase of the job have changed on the screen, epoch ms. */
const watch = (): void => {
  const changes: { text: string; at: number }[] = [];
  const head = document.querySelector('.job-page');
  // Compares the phase too: a job may be parked in the same state again before the page has asked.
  const now = () =>
    `${document.querySelector('.why .section-head small')?.getAttribute('title')} ${document.querySelector('.job-meta strong')?.textContent}`;
  let before = now();
  if (head)
    new MutationObserver(() => {
      const text = now();
      if (text === before) return;
      before = text;
      requestAnimationFrame(() => {
        // After the frame that shows it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () =>
          changes.push({ text, at: performance.timeOrigin + performance.now() });
        port2.postMessage(null);
      });
    }).observe(head, { subtree: true, childList: true, characterData: true, attributes: true });
  Object.assign(window, { benchSeen: changes });
};

/** A job is resumed elsewhere: from the commit of each state until the open page shows it. */
export const stateChangeRow: Row<UiPlace> = {
  figures: ['state.shown'],
  async measure(place, note) {
    const { client } = place;
    const ages: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const id = parkedId(run);
      await using fresh = await place.fresh(`#/jobs/${id}`);
      await fresh.page.locator('.why .waits li').first().waitFor();
      await fresh.page.evaluate(watch);
      for (let change = 0; change < CHANGES; change++) {
        const { seq } = await client.resume(id, {
          eventKey: change === 0 ? 'manual-resume' : 'approve',
        });
        await fresh.page.waitForFunction(
          (count) =>
            Reflect.get(window, 'benchSeen').filter(({ text }: { text: string }) =>
              text.startsWith('parked'),
            ).length > count,
          change,
        );
        const rows = await client.journal(id, { after: seq });
        const parked = rows.findLast(({ path }) =>
          path.some((state) => state.startsWith('parked')),
        );
        const at = await fresh.page.evaluate<number>('window.benchSeen.at(-1).at');
        if (parked) ages.push(at - parked.at);
      }
    }
    note(`${ages.length} changes, the slowest seen after ${percentile(ages, 100).toFixed(0)} ms`);
    return { 'state.shown': under({ value: median(ages), unit: 'ms', target: 200 }) };
  },
};
