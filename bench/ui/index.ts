/**
 * npm run bench:ui [-- --json] [-- --only <figure,…>]
 *
 * Measures what the dashboard promises, in Chromium, against the built runner with a home full of
 * jobs. Figures are medians of several runs, each in a browser that has nothing of the page. Prints
 * as `npm run bench` does; exit code 1 when a target was missed.
 */
import { benchFlags } from '../flags.ts';
import { runRows } from '../runRows.ts';
import { chartRow } from './rows/chart.ts';
import { diffRow } from './rows/diff.ts';
import { filterRow } from './rows/filter.ts';
import { inboxRow } from './rows/inbox.ts';
import { firstLoadRow } from './rows/firstLoad.ts';
import { listScrollRow, manyJobsRow } from './rows/listScroll.ts';
import { liveKeysRow } from './rows/liveKeys.ts';
import { logScrollRow } from './rows/logScroll.ts';
import { planAnswerRow } from './rows/planAnswer.ts';
import { memoryRow } from './rows/memory.ts';
import { stateChangeRow } from './rows/stateChange.ts';
import { loadOfMachine, UiPlace } from './uiPlace.ts';

const flags = benchFlags();
await using place = await UiPlace.open();
for (const signal of ['SIGINT', 'SIGTERM']) {
  // Runner and browser must not outlive it.
  process.once(signal, () => void place[Symbol.asyncDispose]().finally(() => process.exit(130)));
}
console.error(`load of the machine at the start: ${loadOfMachine()}`);
await runRows(
  [
    firstLoadRow,
    inboxRow,
    filterRow,
    listScrollRow,
    manyJobsRow,
    logScrollRow,
    diffRow,
    chartRow,
    planAnswerRow,
    stateChangeRow,
    memoryRow,
    liveKeysRow,
  ],
  place,
  flags,
);
console.error(`load of the machine at the end: ${loadOfMachine()}`);
