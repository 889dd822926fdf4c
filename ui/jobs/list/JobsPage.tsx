import {
  createEffect,
  createMemo,
  createSignal,
  Match,
  on,
  onCleanup,
  Show,
  Switch,
} from 'solid-js';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/controls/Icon.tsx';
import { Problem } from '../../shell/problems/Problem.tsx';
import { toRouteHash } from '../../shell/navigation/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { Board } from './Board.tsx';
import { BulkBar, ExportButtons } from './BulkBar.tsx';
import { MAX_SELECTED } from './bulkActions.ts';
import { countWaitingProposals } from './countWaitingProposals.ts';
import { WaitingProposals } from './WaitingProposals.tsx';
import { readAllJobs } from './exportJobs.ts';
import { FilterBar } from './FilterBar.tsx';
import {
  toJobsQuery,
  type Filter,
  parseFilter,
  groupDigits,
  leadsToList,
  narrowsList,
  describeListPlace,
  toFilterQuery,
  SETTLED_MS,
  toJobSelection,
} from './filters.ts';
import { GroupedJobs } from './GroupedJobs.tsx';
import { createJobCounts } from './jobCounts.ts';
import { createJobPages } from './jobPages.ts';
import { JobTable } from './JobTable.tsx';
import { createSelection } from './selection.ts';
import { AdoptedHomes } from './AdoptedHomes.tsx';
import { LowDisk } from './LowDisk.tsx';
import { Graduation } from '../newJob/Graduation.tsx';
import './jobs.css';
import './jobTable.css';
import './board.css';

/** All jobs, as a list or as a board; the address holds filter, order and place. */
export function JobsPage(props: {
  view: 'list' | 'board';
  query: Readonly<Record<string, string>>;
}) {
  const dashboard = useDashboard();
  const { client, jobs, inbox, shell, team, offers } = dashboard;
  /** The list of a team has one order: others are of the list of one runner. */
  const canSort = () => team === null || team.scope() !== null;
  const filter = createMemo(() => parseFilter(props.query), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  const jobsQuery = createMemo(() => toJobsQuery(filter()));
  const counts = createJobCounts(dashboard, () => toJobSelection(filter()));
  const pages = createJobPages(dashboard, jobsQuery);
  const selection = createSelection(useStore(jobs, (context) => context.known));
  const everyJob = useStore(jobs, (context) => context.counts?.total ?? null);
  const waitingItems = useStore(inbox, (context) => context.items);
  const proposals = createMemo(() => countWaitingProposals(waitingItems(), filter()));
  const [place, setPlace] = createSignal({ from: 0, to: 0 });
  const start = Number(props.query['at']) || 0;
  const parts = () => (props.view === 'board' ? ['board'] : ['jobs']);
  const address = (newFilter: Filter) => toRouteHash(parts(), toFilterQuery(newFilter));
  // Replaces the address: going back must not step through every letter.
  const change = (newFilter: Filter) => location.replace(address(newFilter));

  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(settleTimer));
  const look = (from: number, to: number) => {
    setPlace({ from, to });
    clearTimeout(settleTimer);
    settleTimer = setTimeout(() => {
      // Gone elsewhere, of which the page hears only after this: the address must keep that place.
      if (!leadsToList(location.hash, props.view, filter())) return;
      const at = from === 0 ? {} : { at: String(from) };
      const here = toRouteHash(parts(), { ...toFilterQuery(filter()), ...at });
      if (location.hash !== here) history.replaceState(null, '', here);
    }, SETTLED_MS);
  };
  // A selection that cannot be seen would be acted on by mistake.
  createEffect(on(jobsQuery, () => selection.clear(), { defer: true }));

  const total = () => pages.total() ?? 0;
  /** That an earlier filter found nothing says nothing about this one. */
  const isOldAndEmpty = () => pages.isOld() && pages.total() === 0;
  const selectAll = async () => {
    try {
      const { jobs: all } = await client.jobs({ ...jobsQuery(), limit: MAX_SELECTED });
      selection.set(all, true);
      if (total() > MAX_SELECTED)
        shell.trigger.did({
          text: `The first ${MAX_SELECTED} of ${groupDigits(total())} are selected, the maximum for one action.`,
        });
    } catch (error) {
      shell.trigger.failed({ text: 'The jobs could not be selected', error });
    }
  };

  return (
    <div class="page jobs-page">
      <div class="page-head">
        <h1>{props.view === 'board' ? 'Board' : 'Jobs'}</h1>
        <nav class="segmented" aria-label="View">
          <a
            href={toRouteHash(['jobs'], toFilterQuery(filter()))}
            aria-current={props.view === 'list' ? 'true' : undefined}
          >
            <Icon name="list" /> List
          </a>
          <a
            href={toRouteHash(['board'], toFilterQuery(filter()))}
            aria-current={props.view === 'board' ? 'true' : undefined}
          >
            <Icon name="board" /> Board
          </a>
        </nav>
        <span class="grow" />
        <Show when={total() > 0}>
          <div
            class="row export"
            role="group"
            aria-label={`Export all ${groupDigits(total())} as a file`}
          >
            <span class="muted">Export</span>
            <ExportButtons name="jobs" jobs={() => readAllJobs(client, jobsQuery(), () => {})} />
          </div>
        </Show>
        <Show when={offers('createJob')}>
          <a class="button primary on-phones" href="#/new">
            <Icon name="plus" /> New job
          </a>
        </Show>
      </div>
      <Graduation />
      <AdoptedHomes />
      <LowDisk />
      <FilterBar
        counts={counts()}
        filter={filter()}
        canSort={canSort()}
        view={props.view}
        proposals={proposals()}
        change={change}
        place={
          pages.total() === null
            ? ''
            : pages.isOld()
              ? 'Loading …'
              : props.view === 'board' || filter().group !== 'none'
                ? describeListPlace(0, total(), total())
                : describeListPlace(place().from, place().to, total())
        }
      />
      <Show when={offers('resume')}>
        <BulkBar selection={selection} total={total()} selectAll={() => void selectAll()} />
      </Show>
      <Show when={pages.problem()}>
        {(problem) => <Problem error={problem()} retry={pages.refresh} />}
      </Show>
      <Show when={filter().tones.includes('needs-you')}>
        <WaitingProposals count={proposals()} />
      </Show>
      <Switch>
        <Match when={(pages.total() === null || isOldAndEmpty()) && !pages.problem()}>
          <p class="muted">Loading jobs …</p>
        </Match>
        <Match when={pages.total() === 0 && !pages.isOld() && !narrowsList(filter())}>
          <div class="empty">
            <h2>No jobs yet</h2>
            <p>
              A job takes a description and a repository, and runs a workflow: plan, code, review,
              test. Start one here, or with{' '}
              <code>svc job{team ? ` --team ${team.slug}` : ''} --repo … --description …</code>
            </p>
            <Show when={offers('createJob')}>
              <a class="button primary" href="#/new">
                <Icon name="plus" /> New job
              </a>
            </Show>
          </div>
        </Match>
        <Match when={pages.total() === 0 && !pages.isOld()}>
          <div class="empty">
            <h2>No jobs match</h2>
            <p>
              None of the {everyJob() === null ? '' : groupDigits(everyJob() ?? 0)} jobs and
              sub-runs matches all filters.
            </p>
            <a class="button" href={toRouteHash(parts())}>
              Show all
            </a>
          </div>
        </Match>
        <Match when={props.view === 'board'}>
          <Board filter={filter()} counts={counts()} proposals={proposals()} />
        </Match>
        <Match when={filter().group !== 'none' && counts()}>
          {(read) => (
            <GroupedJobs
              filter={filter()}
              counts={read()}
              proposals={proposals()}
              selection={selection}
            />
          )}
        </Match>
        <Match when={total() > 0}>
          <JobTable
            pages={pages}
            total={total()}
            sort={filter().sort}
            sortBy={canSort() ? (sort) => change({ ...filter(), sort }) : null}
            selection={selection}
            start={start}
            look={look}
          />
        </Match>
      </Switch>
    </div>
  );
}
