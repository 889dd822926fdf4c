import { useDashboard } from '../shell/dashboard.ts';
import { createSignal, For, Show } from 'solid-js';
import { describeTokens } from '../../src/base/spending/tokenText.ts';
import type { Campaign, SubRunView } from '../../src/contract/schema/job/campaign.ts';
import type { SubRunAction } from '../../src/contract/schema/job/subRun.ts';
import { formatShortCount } from '../jobs/jobText.ts';
import { Failure } from '../jobs/Failure.tsx';
import { toPlainStatus } from '../jobs/plainText.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import { listSubRunActions, describeStatusInCampaign, TONE_OF } from './buildCampaignGraph.ts';
import { listBrokenSubRuns } from './campaignStanding.ts';
import { SubRunActionForm } from './SubRunAction.tsx';
import { runOnChange } from '../shell/signals/runOnChange.ts';

const NAMES: Readonly<Record<SubRunAction, string>> = {
  skip: 'Skip …',
  unskip: 'Undo skip …',
  rerun: 'Rerun …',
  cancel: 'Cancel …',
};

export function SubRunSide(props: {
  jobId: string;
  subRun: SubRunView;
  state: Campaign['state'];
  predict: (names: string[]) => void;
  onChange: () => void;
  close: () => void;
}) {
  const { offers } = useDashboard();
  const [action, setAction] = createSignal<SubRunAction | null>(null);
  const isBroken = () => listBrokenSubRuns([props.subRun]).length > 0;
  const choose = (next: SubRunAction | null) => {
    setAction(next);
    if (next === null) props.predict([]);
  };
  runOnChange(
    () => `${props.subRun.name} ${props.subRun.status}`,
    () => choose(null),
    { defer: true },
  );
  return (
    <>
      <button type="button" class="quiet chart-back" onClick={() => props.close()}>
        ← Back to campaign
      </button>
      <h2>
        <bdi>{props.subRun.name}</bdi>
      </h2>
      <p class="row">
        <span class={`pill ${TONE_OF[props.subRun.status]}`}>
          {describeStatusInCampaign(props.subRun.status, props.state)}
        </span>
        <Show when={props.subRun.attempt > 1}>
          <span class="pill">attempt {props.subRun.attempt}</span>
        </Show>
        <Show when={props.subRun.jobId}>
          {(id) => (
            <a href={toJobHash(id())}>
              Open job ({toPlainStatus(props.subRun.jobStatus ?? 'unknown')})
            </a>
          )}
        </Show>
      </p>
      <Show
        when={action()}
        fallback={
          <p class="row">
            <For each={!offers('rerunSubRun') ? [] : listSubRunActions(props.subRun, props.state)}>
              {(one) => (
                <button
                  type="button"
                  class={one === 'cancel' && !isBroken() ? 'danger' : ''}
                  onClick={() => choose(one)}
                >
                  {one === 'cancel' && isBroken() ? 'Accept failure …' : NAMES[one]}
                </button>
              )}
            </For>
          </p>
        }
      >
        {(chosenAction) => (
          <SubRunActionForm
            jobId={props.jobId}
            name={props.subRun.name}
            params={props.subRun.params}
            broken={isBroken()}
            action={chosenAction()}
            predict={props.predict}
            close={() => choose(null)}
            onDone={() => {
              choose(null);
              props.onChange();
            }}
          />
        )}
      </Show>
      <Show when={props.subRun.waitsFor}>{(wait) => <p>Waiting {wait()}.</p>}</Show>
      <Show when={props.subRun.reason}>
        {(reason) => (
          <section class="sub-run-reason" aria-label="Reason">
            <Failure
              jobId={props.subRun.jobId ?? props.jobId}
              reason={reason()}
              output={props.subRun.lastOutput}
            />
          </section>
        )}
      </Show>
      <p class="sub-run-text" dir="auto">
        {props.subRun.description}
      </p>
      <dl class="chart-facts">
        <Show when={props.subRun.dependsOn.length > 0}>
          <dt>Depends on</dt>
          <dd>{props.subRun.dependsOn.join(', ')}</dd>
        </Show>
        <Show when={props.subRun.trackerRef}>
          {(ref) => (
            <>
              <dt>Tracker</dt>
              <dd>{ref()}</dd>
            </>
          )}
        </Show>
        <dt>Tokens</dt>
        <dd>
          {describeTokens(
            { ...props.subRun.tokens, unreported: props.subRun.unreported },
            formatShortCount,
          )}
        </dd>
      </dl>
    </>
  );
}
