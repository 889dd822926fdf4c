import { For, Show } from 'solid-js';
import type { Approval } from '../../src/contract/schema/job/approval.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { toPlainStatus } from '../jobs/plainText.ts';

/** Digits of the hash that are shown; its title has all of them. */
const SHORT = 12;

export function describeApprovalOutcome(job: Job, { covers }: Approval): string {
  const { phase, workflowPath } = covers.follows;
  if (phase === null) return 'The job completes.';
  return workflowPath === job.workflowPath
    ? `Next: ${phase}.`
    : `Next: ${phase} of ${workflowPath}.`;
}

/** What an approval covers beside the plan: work items, whole sub-run specs, and what follows. */
export function ApprovalScope(props: { job: Job; approval: Approval }) {
  const covers = () => props.approval.covers;
  const subRuns = () => props.job.subRuns.filter(({ name }) => covers().subRuns.includes(name));
  return (
    <div class="stack covers">
      <Show when={covers().workItems.length > 0}>
        <details open>
          <summary>Work items: {covers().workItems.length}</summary>
          <ul class="plain">
            <For each={covers().workItems}>
              {({ id, title, status }) => (
                <li>
                  <code>{id}</code> <bdi>{title}</bdi>{' '}
                  <span class="muted">{toPlainStatus(status)}</span>
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
      <Show when={subRuns().length > 0}>
        <details open>
          <summary>Sub-runs: {subRuns().length}</summary>
          <ul class="plain stack">
            <For each={subRuns()}>
              {({ name, description, params, dependsOn, trackerRef }) => (
                <li>
                  <strong>{name}</strong> <bdi class="said">{description}</bdi>
                  <Show when={dependsOn.length > 0}>
                    <div class="muted">depends on {dependsOn.join(', ')}</div>
                  </Show>
                  <Show when={trackerRef}>
                    <div class="muted">ticket {trackerRef}</div>
                  </Show>
                  <Show when={Object.keys(params).length > 0}>
                    <div class="muted">
                      params <code>{JSON.stringify(params)}</code>
                    </div>
                  </Show>
                </li>
              )}
            </For>
          </ul>
        </details>
      </Show>
      <p>
        {describeApprovalOutcome(props.job, props.approval)}{' '}
        <span class="muted">
          Version <code title={props.approval.shown}>{props.approval.shown.slice(0, SHORT)}</code>
          {props.approval.shownRequired ? '; an earlier version was shown first' : ''}
        </span>
      </p>
    </div>
  );
}
