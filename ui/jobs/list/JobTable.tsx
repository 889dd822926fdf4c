import { createEffect, createMemo, createSignal, For, on, onCleanup } from 'solid-js';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { usePageKeys } from '../../shell/keys/pageKeys.ts';
import { RecycledList } from '../../shell/lists/RecycledList.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import type { Sort } from './filters.ts';
import type { JobPages } from './jobPages.ts';
import { JobRow } from './JobRow.tsx';
import type { Selection } from './selection.ts';

/** Height of a row, px: one line, or on phones two. */
const ROW_PX = 40;
const PHONE_ROW_PX = 64;
const PHONE = '(max-width: 720px)';

/** Column → its heading, and what it is sorted by. */
const COLUMNS: readonly (readonly [name: string, heading: string, by: Sort | null])[] = [
  ['state', 'State', 'status'],
  ['title', 'Title', 'title'],
  ['reason', 'Why', null],
  ['repo', 'Repository', 'repo'],
  ['phase', 'Phase', 'phase'],
  ['cost', 'Cost', 'cost'],
  ['since', 'Since', 'since'],
];

interface JobTableProps {
  pages: JobPages;
  total: number;
  sort: Sort;
  /** Null = the list cannot be sorted. */
  sortBy: ((sort: Sort) => void) | null;
  selection: Selection;
  /** Place of the list that is at the top at first. */
  start: number;
  /** Called with the places [from, to) in view. */
  look: (from: number, to: number) => void;
}

function createPhone(): () => boolean {
  const query = matchMedia(PHONE);
  const [is, setIs] = createSignal(query.matches);
  const onChange = () => setIs(query.matches);
  query.addEventListener('change', onChange);
  onCleanup(() => query.removeEventListener('change', onChange));
  return is;
}

/** What a click on a heading sorts by: costs begin with the highest. */
function chooseSort(by: Sort, now: 'ascending' | 'descending' | undefined): Sort {
  const reverse = `-${by}` as Sort;
  return by === 'cost' ? (now === 'descending' ? by : reverse) : now === 'ascending' ? reverse : by;
}

/** The list of jobs as a table of which only the rows in view exist. */
export function JobTable(props: JobTableProps) {
  const phone = createPhone();
  const [at, setAt] = createSignal<number | null>(null);
  let lastSelected: number | null = null;
  createEffect(on([() => props.sort, () => props.total], () => (lastSelected = null)));

  let list: HTMLDivElement | undefined;
  let top = props.start;
  const move = (by: number) => {
    const now = at();
    setAt(Math.max(0, Math.min(props.total - 1, now === null ? top : now + by)));
    // A link or button that has the focus, such as the one that led here, would keep Enter.
    list?.querySelector<HTMLElement>('.job-rows')?.focus({ preventScroll: true });
  };
  const current = (): JobSummary | undefined => {
    const place = at();
    return place === null ? undefined : props.pages.findAt(place);
  };
  const select = (place: number, job: JobSummary, selected: boolean, range: boolean) => {
    const [from, to] = [
      Math.min(lastSelected ?? place, place),
      Math.max(lastSelected ?? place, place),
    ];
    const chosenJobs = range
      ? Array.from({ length: to - from + 1 }, (_, n) => props.pages.findAt(from + n))
      : [job];
    props.selection.set(
      chosenJobs.filter((item) => item !== undefined),
      selected,
    );
    lastSelected = place;
  };
  const toggle = () => {
    const job = current();
    const place = at();
    if (props.pages.isOld()) return;
    if (job && place !== null) select(place, job, !props.selection.has(job.id), false);
  };
  const open = () => {
    const job = current();
    if (job) location.hash = toJobHash(job.id);
  };
  usePageKeys(() => [
    { keys: ['j'], says: 'Next job', does: { do: () => move(1) } },
    { keys: ['k'], says: 'Previous job', does: { do: () => move(-1) } },
    ...(current()
      ? [
          { keys: ['x'], says: 'Select the job', does: { do: toggle } },
          { keys: ['Enter'], says: 'Open the job', does: { do: open } },
        ]
      : []),
  ]);

  const pickAriaSort = (by: Sort | null) =>
    by === null || (props.sort !== by && props.sort !== `-${by}`)
      ? undefined
      : props.sort === by
        ? ('ascending' as const)
        : ('descending' as const);
  const inView = () =>
    Array.from({ length: Math.min(props.total, 500) }, (_, n) => props.pages.findAt(n)).filter(
      (job) => job !== undefined,
    );

  return (
    <div
      ref={list}
      class="job-list"
      role="table"
      aria-label="Jobs"
      aria-rowcount={props.total + 1}
      aria-busy={props.pages.isOld()}
    >
      <div class="job-heads" role="rowgroup">
        <div class="job-head" role="row" aria-rowindex="1">
          <span role="columnheader" class="select">
            <input
              type="checkbox"
              aria-label="Select the loaded jobs"
              disabled={props.pages.isOld()}
              checked={
                props.selection.jobs().length > 0 &&
                inView().every(({ id }) => props.selection.has(id))
              }
              onClick={(event) => props.selection.set(inView(), event.currentTarget.checked)}
            />
          </span>
          <For each={COLUMNS}>
            {([name, heading, by]) => (
              <span role="columnheader" class={name} aria-sort={pickAriaSort(by)}>
                {by === null || props.sortBy === null ? (
                  heading
                ) : (
                  <button
                    type="button"
                    class="quiet"
                    onClick={() => props.sortBy?.(chooseSort(by, pickAriaSort(by)))}
                  >
                    {heading}
                    <span aria-hidden="true">
                      {pickAriaSort(by) === 'ascending'
                        ? ' ↑'
                        : pickAriaSort(by) === 'descending'
                          ? ' ↓'
                          : ''}
                    </span>
                  </button>
                )}
              </span>
            )}
          </For>
        </div>
      </div>
      <RecycledList
        class="job-rows"
        count={props.total}
        rowPx={phone() ? PHONE_ROW_PX : ROW_PX}
        start={props.start}
        shown={at()}
        look={(from, to) => {
          top = from;
          props.pages.look(from, to);
          props.look(from, to);
        }}
        row={(place) => {
          // A row whose job is the same object is not drawn again.
          const job = createMemo(() => props.pages.findAt(place()));
          return (
            <JobRow
              job={job()}
              isOld={props.pages.isOld()}
              position={place() + 1}
              now={nowForAges()}
              current={at() === place()}
              selected={props.selection.has(job()?.id ?? '')}
              select={(rowJob, selected, range) => select(place(), rowJob, selected, range)}
            />
          );
        }}
      />
    </div>
  );
}
