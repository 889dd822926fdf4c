import { createMemo, createSignal, For, Show } from 'solid-js';
import { formatCost } from '../../../src/base/spending/formatCost.ts';
import type { JobCounts } from '../../../src/contract/schema/api/replies.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { nowForAges } from '../../shell/signals/nowForAges.ts';
import { toRouteHash } from '../../shell/navigation/router.ts';
import { TONE_NAMES, TONES } from '../jobText.ts';
import { type Filter, toJobsQuery, groupDigits, toFilterQuery, STANDING_OF } from './filters.ts';
import { useCardKeys } from './useCardKeys.ts';
import { createJobCounts } from './jobCounts.ts';
import { createJobPages } from './jobPages.ts';
import { JobRow } from './JobRow.tsx';
import type { Selection } from './selection.ts';

/** Jobs of a group that are shown; its heading leads to all. */
const SHOWN = 10;
/** Groups that are shown at first, and by which they grow. */
const GROUPS_SHOWN = 20;
/** Shortest time between two sums of the costs of a group, ms: each reads what all its jobs cost. */
const SUM_MS = 10_000;

interface FilterGroup {
  name: string;
  filter: Filter;
}

/** The groups of a filter, each as a filter of its own. */
function splitFilterIntoGroups(filter: Filter, counts: JobCounts): FilterGroup[] {
  const alone: Filter = { ...filter, group: 'none' };
  if (filter.group === 'state') {
    return TONES.filter(
      (tone) =>
        counts.is[STANDING_OF[tone]] > 0 &&
        (filter.tones.length === 0 || filter.tones.includes(tone)),
    ).map((tone) => ({ name: TONE_NAMES[tone], filter: { ...alone, tones: [tone] } }));
  }
  if (filter.group === 'repo') {
    return counts.repos
      .filter((repo) => filter.repo === null || filter.repo === repo)
      .map((repo) => ({ name: repo, filter: { ...alone, repo } }));
  }
  return counts.workflows
    .filter((workflow) => filter.workflow === null || filter.workflow === workflow)
    .map((workflow) => ({ name: workflow, filter: { ...alone, workflow } }));
}

export function GroupedJobs(props: {
  filter: Filter;
  counts: JobCounts;
  /** Waiting proposals of the filter. */
  proposals: number;
  selection: Selection;
}) {
  const [shownGroups, setShownGroups] = createSignal(GROUPS_SHOWN);
  const parts = createMemo(() => splitFilterIntoGroups(props.filter, props.counts));
  const names = createMemo(() => parts().map(({ name }) => name), undefined, {
    equals: (a, b) => a.join('\n') === b.join('\n'),
  });
  let box: HTMLDivElement | undefined;
  useCardKeys(() => box, true);
  return (
    <div ref={box} class="job-list grouped" tabindex="0" role="group" aria-label="Jobs in groups">
      <For each={names().slice(0, shownGroups())}>
        {(name) => (
          <Show when={parts().find((part) => part.name === name)}>
            {(part) => (
              <GroupOfJobs
                part={part()}
                proposals={part().filter.tones.join() === 'needs-you' ? props.proposals : 0}
                selection={props.selection}
              />
            )}
          </Show>
        )}
      </For>
      <Show when={names().length > shownGroups()}>
        <button type="button" onClick={() => setShownGroups((now) => now + GROUPS_SHOWN)}>
          Show more groups
        </button>
      </Show>
    </div>
  );
}

const toSumQuery = ({ sort: _, ...selection }: ReturnType<typeof toJobsQuery>) => ({
  ...selection,
  sum: 'cost' as const,
});

function GroupOfJobs(props: { part: FilterGroup; proposals: number; selection: Selection }) {
  const dashboard = useDashboard();
  const buildJobsQuery = () => toJobsQuery(props.part.filter);
  const pages = createJobPages(dashboard, buildJobsQuery);
  const sums = createJobCounts(dashboard, () => toSumQuery(buildJobsQuery()), SUM_MS);
  const total = () => pages.total() ?? 0;
  return (
    <Show
      when={total() > 0}
      fallback={
        <Show when={(pages.total() === null || pages.isOld()) && !pages.problem()}>
          <p class="muted">
            <bdi>{props.part.name}</bdi>: loading …
          </p>
        </Show>
      }
    >
      <section class="reread" aria-label={props.part.name} aria-busy={pages.isOld()}>
        <h2>
          <a href={toRouteHash(['jobs'], toFilterQuery(props.part.filter))}>
            <bdi>{props.part.name}</bdi> <small>{groupDigits(total() + props.proposals)}</small>
            <Show when={sums()?.cost}>
              {(cost) => (
                <small class="group-cost" title="Cost of these jobs, with their sub-runs">
                  {formatCost(cost())}
                </small>
              )}
            </Show>
          </a>
        </h2>
        <div role="table" aria-label={props.part.name}>
          <For each={Array.from({ length: Math.min(SHOWN, total()) }, (_, at) => at)}>
            {(at) => (
              <JobRow
                job={pages.findAt(at)}
                isOld={pages.isOld()}
                position={at}
                now={nowForAges()}
                current={false}
                selected={props.selection.has(pages.findAt(at)?.id ?? '')}
                select={(job, selected) => props.selection.set([job], selected)}
              />
            )}
          </For>
        </div>
        <Show when={total() > SHOWN}>
          <a class="group-rest" href={toRouteHash(['jobs'], toFilterQuery(props.part.filter))}>
            All {groupDigits(total())}
          </a>
        </Show>
      </section>
    </Show>
  );
}
