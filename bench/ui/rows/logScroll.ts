import { atLeast } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median, percentile } from '../../statistics.ts';
import { letSay, startTalker } from '../talk.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

const LINES = 10_000;
/**
 * How fast it is scrolled: a page of the window in a third of a second, px for each frame of 60 in
 * a second.
 */
const PX_PER_FRAME = 40;
const SCROLLED_MS = 2_000;

/**
 * Scrolls up from the end; answers the time between every two frames, ms, and the frames in which
 * no line was seen.
 */
const scroll = async ({
  px,
  ms,
}: {
  px: number;
  ms: number;
}): Promise<{ between: number[]; empty: number }> => {
  const box = document.querySelector<HTMLElement>('.virtual.log');
  if (!box) throw new Error('there is no log');
  const between: number[] = [];
  let empty = 0;
  const middle = box.getBoundingClientRect();
  await new Promise<void>((done) => {
    const begun = performance.now();
    let last = begun;
    const frame = (now: number) => {
      if (now > last) between.push(now - last);
      last = now;
      if (now - begun > ms) return done();
      const seen = document.elementFromPoint(middle.left + 200, middle.top + middle.height / 2);
      if (!seen?.closest('[data-index]')) empty += 1;
      box.scrollTop -= px;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return { between, empty };
};

/** A log of ten thousand lines, scrolled through by hand. */
export const logScrollRow: Row<UiPlace> = {
  figures: ['log.scroll'],
  async measure(place, note) {
    const job = await startTalker(place, 'scrolled');
    letSay(place, 'scrolled', LINES);
    const rates: number[] = [];
    const slowest: number[] = [];
    let empty = 0;
    for (let run = 0; run < RUNS; run++) {
      await using fresh = await place.fresh(`#/jobs/${job}/log`);
      const { page } = fresh;
      await page.getByText(`line ${LINES} of`).waitFor();
      const seen = await page.evaluate(scroll, { px: PX_PER_FRAME, ms: SCROLLED_MS });
      rates.push((1_000 * seen.between.length) / seen.between.reduce((sum, ms) => sum + ms, 0));
      slowest.push(percentile(seen.between, 95));
      empty += seen.empty;
    }
    await place.client.cancel(job);
    note(
      `${LINES} lines; 95 of 100 frames within ${median(slowest).toFixed(1)} ms; ${empty} frames without a line`,
    );
    return { 'log.scroll': atLeast({ value: median(rates), unit: '/s', target: 50 }) };
  },
};
