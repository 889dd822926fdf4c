import { createMemo, Match, Show, Switch } from 'solid-js';
import { useDashboard } from '../../shell/dashboard.ts';
import { Icon } from '../../shell/Icon.tsx';
import { nowForAges } from '../../shell/now.ts';
import { Problem } from '../../shell/Problem.tsx';
import { hashOf } from '../../shell/router.ts';
import { useStore } from '../../shell/useStore.ts';
import { VirtualList } from '../../shell/VirtualList.tsx';
import { Board } from './Board.tsx';
import { FilterBar } from './FilterBar.tsx';
import { type Filter, filtered, filterOf, queryOf } from './filters.ts';
import { Graduation } from '../newJob/Graduation.tsx';
import { JobRow } from './JobRow.tsx';
import './jobs.css';
import './board.css';

/** Height of a row, px, before it was measured. */
const ROW_PX = 41;

/** All jobs, as a list or as a board; the address holds the filter. */
export function JobsPage(props: {
  view: 'list' | 'board';
  query: Readonly<Record<string, string>>;
}) {
  const { jobs } = useDashboard();
  const state = useStore(jobs, (context) => context);
  const filter = createMemo(() => filterOf(props.query));
  const shown = createMemo(() => filtered(state().jobs, filter()));
  const address = (changed: Filter) =>
    hashOf([props.view === 'board' ? 'board' : 'jobs'], queryOf(changed));
  // The filter is where one is, not where one was: going back does not go through every letter.
  const change = (changed: Filter) => location.replace(address(changed));

  return (
    <div class="page jobs-page">
      <div class="page-head">
        <h1>{props.view === 'board' ? 'Board' : 'Jobs'}</h1>
        <nav class="segmented" aria-label="View">
          <a
            href={hashOf(['jobs'], props.query)}
            aria-current={props.view === 'list' ? 'true' : undefined}
          >
            <Icon name="list" /> List
          </a>
          <a
            href={hashOf(['board'], props.query)}
            aria-current={props.view === 'board' ? 'true' : undefined}
          >
            <Icon name="board" /> Board
          </a>
        </nav>
        <a class="button primary on-phones" href="#/new">
          <Icon name="plus" /> New job
        </a>
      </div>
      <Graduation />
      <FilterBar jobs={state().jobs} filter={filter()} shown={shown().length} change={change} />
      <Show when={state().problem}>{(problem) => <Problem error={problem()} />}</Show>
      <Switch>
        <Match when={!state().loaded && !state().problem}>
          <p class="muted">Loading jobs …</p>
        </Match>
        <Match when={state().loaded && state().jobs.length === 0}>
          <div class="empty card">
            <h2>No jobs yet</h2>
            <p>
              A job takes a description and a repository, and runs a workflow: plan, code, review,
              test. Start one here, or with <code>svc job --repo … --description …</code>
            </p>
            <a class="button primary" href="#/new">
              <Icon name="plus" /> New job
            </a>
          </div>
        </Match>
        <Match when={state().loaded && shown().length === 0}>
          <div class="empty card">
            <h2>No jobs match</h2>
            <p>None of the {state().jobs.length} jobs matches all filters.</p>
            <a class="button" href={hashOf([props.view === 'board' ? 'board' : 'jobs'])}>
              Show all
            </a>
          </div>
        </Match>
        <Match when={props.view === 'board'}>
          <Board jobs={shown()} now={nowForAges()} />
        </Match>
        <Match when={shown().length > 0}>
          <VirtualList
            class="job-list"
            label="Jobs"
            role="list"
            items={shown()}
            estimate={() => ROW_PX}
            row={(job) => <JobRow job={job} now={nowForAges()} />}
          />
        </Match>
      </Switch>
    </div>
  );
}
