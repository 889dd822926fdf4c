import { setTimeout as wait } from 'node:timers/promises';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { letSay, startTalker } from '../talk.ts';
import { LIVE_JOBS } from '../uiHome.ts';
import type { FreshPage, UiPlace } from '../uiPlace.ts';

/** Lines that each agent at work writes at once, and the time between, ms. */
const LINES = 10;
const EVERY_MS = 200;
const KEYS = 15;
/** How many times slower the processor is while long tasks are counted. */
const SLOWED = 4;
const WATCHED_MS = 5_000;

/** Notes the time from each key until the page has painted what it leads to, and each long task. */
const watch = (): void => {
  const timings = { keys: [] as number[], tasks: 0 };
  document.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        // After the frame that shows it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => timings.keys.push(performance.now() - timeStamp);
        port2.postMessage(null);
      }),
    { capture: true },
  );
  new PerformanceObserver((list) => {
    timings.tasks += list.getEntries().length;
  }).observe({ type: 'longtask' });
  Object.assign(window, { benchKeys: timings });
};

/** Opens and closes the help by keys, as fast as the page answers; ms of the median key. */
async function measureKeys({ page }: FreshPage): Promise<number> {
  await page.evaluate(watch);
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press(key % 2 === 0 ? '?' : 'Escape');
    await page.waitForFunction(
      (count) => Reflect.get(window, 'benchKeys').keys.length > count,
      key,
    );
  }
  return median(await page.evaluate<number[]>('window.benchKeys.keys'));
}

/** Long tasks of a page that is only shown, on a slow processor. */
async function countLongTasks({ page, cdp }: FreshPage): Promise<number> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  const before = await page.evaluate<number>('window.benchKeys.tasks');
  await wait(WATCHED_MS);
  const after = await page.evaluate<number>('window.benchKeys.tasks');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return after - before;
}

async function measurePage(place: UiPlace, query: string, shows: string) {
  await using fresh = await place.fresh(`#/jobs?${query}`);
  await fresh.page.locator(shows).first().waitFor();
  return { key: await measureKeys(fresh), tasks: await countLongTasks(fresh) };
}

/**
 * The list with many agents at work beside one without a job. Both are measured while the agents
 * work: they, and not the page, take most of a small machine. The empty list alone is only noted.
 */
export const liveKeysRow: Row<UiPlace> = {
  figures: ['live.key', 'live.tasks'],
  async measure(place, note) {
    const measureEmpty = () => measurePage(place, 'q=no-job-has-this-word', '.empty');
    const alone = await measureEmpty();
    const ids: string[] = [];
    while (ids.length < LIVE_JOBS) ids.push(await startTalker(place, 'scrolled'));
    let lines = 0;
    const measureBoth = async () =>
      [await measureEmpty(), await measurePage(place, 'is=working', '.job-row')] as const;
    const talk = setInterval(() => {
      lines += LINES;
      letSay(place, 'scrolled', lines);
    }, EVERY_MS);
    const [empty, live] = await measureBoth().finally(() => clearInterval(talk));
    for (const id of ids) await place.client.cancel(id);
    note(
      `${LIVE_JOBS} jobs at work: ${live.key.toFixed(0)} ms, ${live.tasks} long tasks; an empty list beside them: ${empty.key.toFixed(0)} ms, ${empty.tasks}; alone: ${alone.key.toFixed(0)} ms, ${alone.tasks}`,
    );
    return {
      'live.key': under({
        value: live.key,
        unit: 'ms',
        ratio: live.key / empty.key,
        target: 3,
      }),
      // Fewer than one more than the empty page has.
      'live.tasks': under({ value: live.tasks - empty.tasks, unit: 'tasks', target: 1 }),
    };
  },
};
