import { createEffect, createMemo, createSignal, on } from 'solid-js';
import { createReading } from '../../shell/signals/createReading.ts';
import { isErrorLine } from '../../../src/base/output/errorLine.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { findLines } from './logFilter.ts';
import { readFirstNumber, hasEnd, type LogLine, type LogWindow } from './logWindow.ts';
import { toVisibleLine } from './terminalText.ts';

export type LogSearchTarget = { text: string } | { errors: true };

interface LogSearch {
  jobId: string;
  log: () => LogWindow;
  /** Of the lines that the page has, those that the filter lets through. */
  listShown: () => readonly LogLine[];
  isFiltered: () => boolean;
}

/** Between the last key and a question to the runner, ms. */
const SETTLE_MS = 250;

const toSearchKey = (logSearchTarget: LogSearchTarget): string =>
  'text' in logSearchTarget ? `text ${logSearchTarget.text}` : 'errors';

/** Lines that match, by number: the page's at once, the runner's once it has answered. */
export function useLogSearch({ jobId, log, listShown, isFiltered }: LogSearch) {
  const { client } = useDashboard();
  const [target, setTarget] = createSignal<LogSearchTarget | null>(null);
  const [at, setAt] = createSignal(0);
  const text = () => {
    const now = target();
    return now && 'text' in now ? now.text : '';
  };
  const here = createMemo((): number[] => {
    const now = target();
    if (now === null) return [];
    if ('text' in now) return findLines(listShown(), now.text);
    return listShown()
      .filter((line) => isErrorLine({ ...line, line: toVisibleLine(line.line) }))
      .map(({ number }) => number);
  });
  const isComplete = createMemo(() => readFirstNumber(log()) === 1 && hasEnd(log()));
  const question = createMemo(() => {
    const now = target();
    return now === null || isComplete() || isFiltered() ? null : toSearchKey(now);
  });
  const [elsewhere] = createReading(question, async (query) => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const now = target();
    if (now === null || toSearchKey(now) !== query) return { numbers: [], more: false };
    return client.searchLog(jobId, 'text' in now ? { q: now.text } : { level: 'error' });
  });
  const remote = () => (elsewhere.error ? null : (elsewhere.latest ?? null));
  const hits = createMemo((): number[] => {
    const mine = here();
    if (question() === null) return mine;
    const first = readFirstNumber(log());
    const last = log().lines.at(-1)?.number ?? 0;
    const others = remote()?.numbers ?? [];
    return [
      ...others.filter((number) => number < first),
      ...mine,
      ...others.filter((number) => number > last),
    ];
  });
  createEffect(on(target, () => setAt(0), { defer: true }));

  return {
    target,
    setTarget,
    text,
    hits,
    asking: () => elsewhere.loading,
    problem: () => elsewhere.error,
    more: () => question() !== null && (remote()?.more ?? false),
    at,
    setAt,
    current: () => hits()[at()] ?? null,
    move: (by: number) => setAt((now) => (now + by + hits().length) % Math.max(1, hits().length)),
  };
}

export type LogSearchState = ReturnType<typeof useLogSearch>;
