import { createSignal, For, Show } from 'solid-js';
import type { TeamHome } from '../../src/contract/schema/cloud/home.ts';
import { formatDateTime, formatMinuteWithDay } from '../jobs/jobText.ts';
import { AskDialog } from '../shell/controls/AskDialog.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { canRelease, describeHomeWait, describeLoss, POLICIES, POLICY_TEXT } from './homeText.ts';
import type { TeamParts } from './teamParts.ts';

/** What happens with the jobs of a runner when its machine is lost, as entries of its list of facts. */
export function HomeFacts(
  props: Pick<TeamParts, 'api'> & { home: TeamHome; mayDecide: boolean; onChange: () => void },
) {
  const { run } = useDashboard();
  const [asks, setAsks] = createSignal(false);
  const path = () => `runners/${props.home.runner.id}`;
  const change = (policy: string) =>
    run('Changed.', async () => {
      await props.api.send('PATCH', path(), { policy });
      props.onChange();
    });
  const release = () =>
    run('Another runner is asked.', async () => {
      await props.api.send('POST', `${path()}/release`);
      props.onChange();
    });
  return (
    <>
      <Show when={props.home.continuedBy}>
        {(holder) => (
          <>
            <dt>Continued by</dt>
            <dd>
              <bdi>{holder().name}</bdi>
              <Show when={holder().since}>
                {(since) => (
                  <small title={formatDateTime(since())}>
                    {' '}
                    since {formatMinuteWithDay(since(), nowForAges())}
                  </small>
                )}
              </Show>
            </dd>
          </>
        )}
      </Show>
      <dt>If it is lost</dt>
      <dd>
        <Show when={props.mayDecide} fallback={POLICY_TEXT[props.home.policy]}>
          <select
            aria-label={`What happens with the jobs of ${props.home.runner.name} if it is lost`}
            onChange={({ currentTarget }) => void change(currentTarget.value)}
          >
            <For each={POLICIES}>
              {(policy) => (
                <option value={policy} selected={policy === props.home.policy}>
                  {POLICY_TEXT[policy]}
                </option>
              )}
            </For>
          </select>
        </Show>
      </dd>
      <Show when={describeHomeWait(props.home)}>
        {(text) => (
          <>
            <dt>Its jobs</dt>
            <dd class="stack">
              <span>{text()}</span>
              <Show when={props.mayDecide && canRelease(props.home)}>
                <button type="button" onClick={() => setAsks(true)}>
                  Continue elsewhere …
                </button>
              </Show>
              <Show when={asks()}>
                <AskDialog
                  title={`Continue the jobs of ${props.home.runner.name} on another runner?`}
                  says="Continue elsewhere"
                  danger
                  close={() => setAsks(false)}
                  send={release}
                >
                  <Show when={describeLoss(props.home)}>{(text) => <p>{text()}</p>}</Show>
                  <ul>
                    <For each={props.home.jobs}>
                      {(job) => (
                        <li dir="auto">
                          {job.title}
                          {job.isInSession ? ' (an agent was at work)' : ''}
                        </li>
                      )}
                    </For>
                  </ul>
                  <p class="muted">
                    If the machine comes back in between, it keeps them. Later it gets them back
                    when the other runner has finished.
                  </p>
                </AskDialog>
              </Show>
            </dd>
          </>
        )}
      </Show>
    </>
  );
}
