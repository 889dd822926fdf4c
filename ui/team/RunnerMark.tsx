import { Show } from 'solid-js';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { formatDateTime, formatMinuteWithDay } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { useStore } from '../shell/useStore.ts';
import { findRunnerOfJob } from './runnerText.ts';
import type { TeamStore } from './teamStore.ts';

/** The runner that a job is on, and since when that is away. */
export const createRunnerMark = (store: TeamStore) =>
  function RunnerMark(props: { job: JobSummary | undefined; only?: 'name' | 'away' }) {
    const runners = useStore(store, (context) => context.runners);
    return (
      <Show when={findRunnerOfJob(props.job, runners())}>
        {(runner) => (
          <small class="on-runner" classList={{ away: runner().awaySince !== null }}>
            <Show when={props.only !== 'away'}>
              on <bdi>{runner().name}</bdi>
              <Show when={runner().continuedBy}>
                {(name) => (
                  <>
                    , continued by <bdi>{name()}</bdi>
                  </>
                )}
              </Show>
            </Show>
            <Show when={props.only !== 'name' && runner().awaySince}>
              {(since) => (
                <span title={formatDateTime(since())}>
                  {props.only === 'away' ? 'Runner away since ' : ', away since '}
                  {formatMinuteWithDay(since(), nowForAges())}
                </span>
              )}
            </Show>
          </small>
        )}
      </Show>
    );
  };
