import { createEffect, createMemo, createSignal, Match, on, Show, Switch } from 'solid-js';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { Problem } from '../../shell/problems/Problem.tsx';
import { toLineHash } from '../../shell/navigation/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { formatDay, formatThousands } from '../jobText.ts';
import { useJob } from '../page/jobView.ts';
import { LogBar } from './LogBar.tsx';
import { EVERYTHING, isFiltered, filterLogLines } from './logFilter.ts';
import { LogList, type LogListControl } from './LogList.tsx';
import { LogRow, SessionHead, SHOWN_LINES } from './LogRow.tsx';
import { createRowMaker, type LogRowItem } from './logRows.ts';
import { readFirstNumber, hasEnd } from './logWindow.ts';
import { MessageDock } from './MessageDock.tsx';
import { useLogSearch } from './useLogSearch.ts';
import './log.css';

/** Heights of rows, px: a guess, until a row was measured. */
const LINE_PX = 20;
const HEAD_PX = 36;

const UNFOLDED: ReadonlySet<string> = new Set();

const MORE_LINES = 2_000;
/** Lines before one that is shown alone. */
const LINES_BEFORE = 400;

/**
 * The log as it comes, by sessions: searched, filtered, and read further back where there is more.
 * `line`: what the address names, such as `L12`.
 */
export function LogTab(props: { line: string | null }) {
  const { client, connection } = useDashboard();
  const { store, job, reachable } = useJob();
  const jobId = job().id;
  const log = useStore(store, (context) => context.log);
  const timeline = useStore(store, (context) => context.timeline);
  const [filter, setFilter] = createSignal(EVERYTHING);
  const [foldedSessions, setFoldedSessions] = createSignal(UNFOLDED);
  const [whole, setWhole] = createSignal<ReadonlySet<number>>(new Set());
  const [following, setFollowing] = createSignal(true);
  const [problem, setProblem] = createSignal<unknown>(null);
  const [isLoading, setIsLoading] = createSignal(false);
  let list: LogListControl | undefined;
  /** Number of the last place that was asked for: an answer that comes later than that is dropped. */
  let wantedNumber = 0;
  const goElsewhere = () => {
    setIsLoading(false);
    wantedNumber += 1;
    return wantedNumber;
  };

  const sessions = createMemo(() => timeline()?.sessions ?? []);
  const shownLines = createMemo(() => filterLogLines(log().lines, filter()));
  const search = useLogSearch({
    jobId,
    log,
    listShown: shownLines,
    isFiltered: () => isFiltered(filter()),
  });
  const makeRows = createRowMaker();
  const rowList = createMemo(() =>
    // A search also looks into folded sessions.
    makeRows(shownLines(), sessions(), search.target() ? UNFOLDED : foldedSessions()),
  );
  const rows = () => rowList().rows;
  const target = () => Number(/^L(\d+)$/.exec(props.line ?? '')?.[1] ?? 0);
  // A memo: the page goes there when it becomes another line, not whenever lines arrive.
  const current = createMemo(() => (search.target() ? search.current() : target()));
  const phases = createMemo(() => [...new Set(job().phases.map(({ phase }) => phase))]);

  /** Answers whether the lines were read; false too when the person has gone elsewhere since. */
  const read = async (query: { from?: number; before?: number; limit: number }) => {
    const request = goElsewhere();
    setIsLoading(true);
    let isHere = false;
    try {
      const page = await client.log(jobId, query);
      if (request !== wantedNumber) return false;
      store.trigger.paged({ page });
      setProblem(null);
      isHere = true;
    } catch (error) {
      if (request !== wantedNumber) return false;
      if (!connection.report(error)) setProblem(error);
    }
    setIsLoading(false);
    return isHere;
  };
  const older = () => read({ before: readFirstNumber(log()), limit: MORE_LINES });
  const newer = () => read({ from: (log().lines.at(-1)?.number ?? 0) + 1, limit: MORE_LINES });
  const toEnd = async () => {
    goElsewhere();
    if (hasEnd(log()) || (await read({ limit: MORE_LINES }))) list?.toEnd();
  };
  const findRowIndex = (number: number) =>
    rows().findIndex((row) => row.kind === 'line' && row.line.number === number);
  const go = async (number: number) => {
    const { lines, total } = log();
    if (number < 1 || number > total) return;
    goElsewhere();
    const isHere = number >= readFirstNumber(log()) && number <= (lines.at(-1)?.number ?? 0);
    const from = Math.max(1, number - LINES_BEFORE);
    if (!isHere && !(await read({ from, limit: MORE_LINES }))) return;
    if (findRowIndex(number) < 0) {
      setFilter(EVERYTHING);
      setFoldedSessions(UNFOLDED);
    }
    const index = findRowIndex(number);
    if (index >= 0) list?.show(index);
  };
  createEffect(on(current, (number) => number && queueMicrotask(() => void go(number))));
  // The log comes after the page: a line that the address names waits for it.
  const hasLines = createMemo(() => log().total > 0);
  createEffect(on(hasLines, (is) => is && target() > 0 && queueMicrotask(() => void go(target()))));
  usePageKeys(() => [
    {
      keys: ['e'],
      says: 'Next error in the log',
      does: {
        do: () => {
          const now = search.target();
          if (now && 'errors' in now) search.move(1);
          else search.setTarget({ errors: true });
        },
      },
    },
  ]);

  const toggle = (key: string) =>
    setFoldedSessions((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const estimate = (row: LogRowItem, letters: number): number =>
    row.kind === 'line'
      ? LINE_PX * Math.min(SHOWN_LINES, Math.max(1, Math.ceil(row.line.line.length / letters)))
      : HEAD_PX;

  const times = (key: string) => {
    const [visit, number] = key.split('.').map(Number);
    const logSession = sessions().find((one) => one.visit === visit && one.session === number);
    return {
      from: logSession ? Date.parse(logSession.from) : null,
      to: logSession?.to ? Date.parse(logSession.to) : null,
    };
  };
  const row = (item: LogRowItem, letters: () => number) => {
    if (item.kind === 'day') return <p class="log-day">{item.day}</p>;
    if (item.kind === 'session') {
      const first = () => times(item.key).from;
      const day = () => {
        const firstDay = formatDay(first() ?? log().lines[0]?.at ?? 0);
        return firstDay === formatDay(nowForAges()) ? '' : firstDay;
      };
      return (
        <SessionHead
          group={rowList().groups.get(item.key) ?? { row: item, lines: 0 }}
          from={first()}
          to={times(item.key).to}
          day={day()}
          folded={foldedSessions().has(item.key)}
          toggle={() => toggle(item.key)}
        />
      );
    }
    const { line } = item;
    return (
      <LogRow
        line={line}
        href={toLineHash(jobId, line.number)}
        search={search.text()}
        current={line.number === current()}
        letters={letters()}
        whole={whole().has(line.number)}
        showAll={() => setWhole((now) => new Set(now).add(line.number))}
      />
    );
  };

  return (
    <section class="log-tab" aria-label="Log">
      <LogBar
        jobId={jobId}
        search={search}
        lines={log().lines}
        filter={filter()}
        setFilter={setFilter}
        phases={phases()}
        folded={foldedSessions().size > 0}
        sessions={rowList().groups.size}
        foldAll={(fold) => setFoldedSessions(fold ? new Set(rowList().groups.keys()) : UNFOLDED)}
      />
      <p class="log-extent">
        <small class="lines">
          {describeLogExtent(log(), shownLines().length, isFiltered(filter()))}
        </small>
        <Show when={readFirstNumber(log()) > 1}>
          <button type="button" class="quiet" disabled={isLoading()} onClick={() => void older()}>
            Load older
          </button>
        </Show>
        <Show when={!hasEnd(log())}>
          <button type="button" class="quiet" disabled={isLoading()} onClick={() => void newer()}>
            Load newer
          </button>
        </Show>
      </p>
      <Show when={problem()}>{(error) => <Problem error={error()} retry={toEnd} />}</Show>
      <Switch>
        <Match when={log().total === 0}>
          <p class="empty">
            {reachable()
              ? 'Nothing yet. Lines appear as the agent writes them.'
              : 'Not known while its runner is away.'}
          </p>
        </Match>
        <Match when={shownLines().length === 0}>
          <div class="empty">
            <p>No loaded line matches the filter.</p>
            <button type="button" onClick={() => setFilter(EVERYTHING)}>
              Show all lines
            </button>
          </div>
        </Match>
        <Match when={true}>
          <div class="log-box">
            <LogList
              items={rows()}
              estimate={estimate}
              live={hasEnd(log())}
              onFollow={setFollowing}
              control={(control) => {
                list = control;
              }}
              row={row}
            />
            <Show when={!following() || !hasEnd(log())}>
              <button type="button" class="to-end" onClick={() => void toEnd()}>
                <Icon name="down" /> Newest lines
              </button>
            </Show>
          </div>
        </Match>
      </Switch>
      <MessageDock />
    </section>
  );
}

function describeLogExtent(
  log: Parameters<typeof hasEnd>[0],
  shownCount: number,
  filtered: boolean,
): string {
  const { lines, total } = log;
  const lineCount = lines.length;
  const of =
    lineCount === total
      ? `${formatThousands(total)} ${total === 1 ? 'line' : 'lines'}`
      : hasEnd(log)
        ? `Last ${formatThousands(lineCount)} of ${formatThousands(total)} lines.`
        : `Lines ${formatThousands(readFirstNumber(log))} to ${formatThousands(lines.at(-1)?.number ?? 0)} of ${formatThousands(total)}.`;
  return filtered ? `${formatThousands(shownCount)} match the filter. ${of}` : of;
}
