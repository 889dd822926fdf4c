import { For, type JSX, Show } from 'solid-js';
import { Icon } from '../shell/controls/Icon.tsx';
import type { Route } from '../shell/navigation/router.ts';
import { useStore } from '../shell/useStore.ts';
import { describeRunner } from './runnerText.ts';
import { findScope, listUsableRunners, type TeamStore } from './teamStore.ts';
import './team.css';

/** Pages whose figures belong to one runner. */
const OF_ONE_RUNNER: ReadonlySet<Route['page']> = new Set([
  'statistics',
  'report',
  'ratings',
  'budgets',
  'guardrails',
  'insights',
]);
/** Pages that show those of one runner where one is chosen. */
const OF_ANY: ReadonlySet<Route['page']> = new Set(['jobs', 'machines']);

const isOfOneRunner = (route: Route): boolean =>
  OF_ONE_RUNNER.has(route.page) || (route.page === 'jobs' && route.view === 'board');

/** A page with the choice of the runner that it is about; a page of one runner waits for the choice. */
export const createRunnerScope = (store: TeamStore) =>
  function RunnerScope(props: { route: Route; children: JSX.Element }) {
    const runners = useStore(store, (context) => listUsableRunners(context.runners));
    const chosenRunner = useStore(store, (context) => context.chosen);
    const scope = useStore(store, findScope);
    const needs = () => isOfOneRunner(props.route);
    const offers = () => (needs() || OF_ANY.has(props.route.page)) && runners().length > 0;
    return (
      <>
        <Show when={offers()}>
          <div class="runner-scope">
            <label for="runner-scope">Runner</label>
            <select
              id="runner-scope"
              value={chosenRunner() ?? ''}
              onChange={(event) =>
                store.trigger.runnerChosen({ runner: event.currentTarget.value || null })
              }
            >
              <option value="">{needs() ? 'Choose a runner' : 'All runners'}</option>
              <For each={runners()}>
                {(runner) => (
                  <option value={runner.id} selected={runner.id === chosenRunner()}>
                    {runner.name}
                    {runner.connected ? '' : ` (${describeRunner(runner).says.toLowerCase()})`}
                  </option>
                )}
              </For>
            </select>
            <Show when={props.route.page === 'jobs' && !needs() && scope() === null}>
              <small>Choose one to filter, sort and group its jobs.</small>
            </Show>
          </div>
        </Show>
        <Show
          when={!needs() || scope() !== null}
          fallback={
            <div class="page empty">
              <Icon name="machine" />
              <h1>{runners().length === 0 ? 'No runner yet' : 'Choose a runner'}</h1>
              <p>
                {runners().length === 0
                  ? 'Each runner keeps its own figures. They appear here once a machine is paired.'
                  : 'Each runner keeps its own figures. Choose the one that you want to see.'}
              </p>
              <Show when={runners().length === 0}>
                <a class="button" href="#/runners">
                  Pair a machine
                </a>
              </Show>
            </div>
          }
        >
          {/* Another runner has other jobs and figures: the page begins again. */}
          <Show when={offers() ? (scope() ?? 'all') : 'page'} keyed>
            {(_scope) => props.children}
          </Show>
        </Show>
      </>
    );
  };
