import { IfOffered } from '../../shell/controls/IfOffered.tsx';
import { For, Show } from 'solid-js';
import { AskCard } from '../../inbox/AskCard.tsx';
import { CardBoundary } from '../../shell/problems/CardBoundary.tsx';
import type { WorkItemStatus } from '../../../src/contract/schema/job/workItem.ts';
import { Icon, type IconName } from '../../shell/controls/Icon.tsx';
import { toJobHash } from '../../shell/navigation/router.ts';
import { isAskedOnOverview } from './isAskedOnOverview.ts';
import { BudgetCard } from './BudgetCard.tsx';
import { CostCard } from './CostCard.tsx';
import { formatKibibytes, pickStateTone } from '../jobText.ts';
import { toPlainStatus } from '../plainText.ts';
import { useJob } from './jobView.ts';
import { Messages } from './Messages.tsx';
import { Timeline } from './Timeline.tsx';
import { TokensChart } from './TokensChart.tsx';
import { WhyPanel } from './WhyPanel.tsx';
import { InsightButtons } from '../../insights/InsightButtons.tsx';
import { createReading } from '../../shell/signals/createReading.ts';
import { useDashboard } from '../../shell/dashboard.ts';
import { LabelRating } from '../LabelRating.tsx';
import { RatingReadout } from './RatingReadout.tsx';
import type { Parked } from '../../../src/contract/schema/job/job.ts';
import { Countdown } from '../../budgets/Countdown.tsx';
import { AccountRetry } from '../../budgets/AccountRetry.tsx';
import {
  formatAccountName,
  describeAccountState,
  formatWaitingJobs,
} from '../../budgets/accountText.ts';
import { Markdown } from '../../shell/markdown/Markdown.tsx';
import { useStore } from '../../shell/useStore.ts';

/** The account limit that holds a job: which, until when, and what a person can do. */
function WaitsForQuota(props: { parked: Parked }) {
  const { limits } = useDashboard();
  const accounts = useStore(limits, (context) => context.accounts);
  const account = () => (accounts() ?? []).find(({ id }) => id === props.parked.pool);
  return (
    <section
      class="asked stack"
      classList={{ bad: props.parked.until === undefined }}
      aria-label="Limit of the model"
    >
      <h2 class="question">
        {props.parked.until === undefined
          ? "The account of the job's model needs a person"
          : 'The job waits for the quota of its model'}
      </h2>
      <Show when={props.parked.until}>
        {(until) => (
          <p>
            It continues by itself in <Countdown until={until()} />.
          </p>
        )}
      </Show>
      <Show when={account()}>
        {(knownAccount) => (
          <p>
            Account <bdi>{formatAccountName(knownAccount())}</bdi>:{' '}
            {describeAccountState(knownAccount()).toLowerCase()}
            {knownAccount().limit?.window ? `, limit of ${knownAccount().limit?.window}` : ''}.{' '}
            {formatWaitingJobs(knownAccount())} for it. {knownAccount().limit?.error ?? ''}{' '}
            <a href="#/budgets">All accounts</a>
          </p>
        )}
      </Show>
      <Show when={props.parked.until === undefined}>
        <p>Waiting does not help. Pay the bill or raise the limit, then retry the account.</p>
        <Show when={account()}>{(knownAccount) => <AccountRetry account={knownAccount()} />}</Show>
      </Show>
    </section>
  );
}

/** What the decision layer says of the newest phase; a person says here how its work was. */
function RatingCard() {
  const { client } = useDashboard();
  const { job } = useJob();
  // By what can change it: a record more, or a state in which a person has decided something.
  const stamp = () =>
    job().decisionRecords.length === 0
      ? null
      : `${job().id} ${job().decisionRecords.length} ${job().updatedAt}`;
  const [entry, { mutate }] = createReading(stamp, async () => {
    const { decisions } = await client.decisions({
      job: job().id,
      site: 'overseer',
      skipped: 'false',
      limit: 1,
    });
    return decisions[0] ?? null;
  });
  return (
    <Show when={job().decisionRecords.length > 0}>
      <section class="section">
        <h2>Rating</h2>
        <RatingReadout records={job().decisionRecords} />
        <Show when={entry.error ? null : entry.latest}>
          {(rating) => (
            <IfOffered to="labelDecision">
              <LabelRating entry={rating()} onLabelled={(now) => mutate(() => now)} />
            </IfOffered>
          )}
        </Show>
      </section>
    </Show>
  );
}

function Insights() {
  const { job } = useJob();
  return (
    <section class="section">
      <h2>Insights</h2>
      <ul class="plain items">
        <For each={job().insights}>
          {(insight) => (
            <li>
              <Icon name="bulb" />
              <span class="grow">
                <Markdown text={insight.text} /> <small>{insight.category}</small>
              </span>
              <InsightButtons jobId={job().id} insight={insight} />
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}

const WORK_ICONS: Readonly<Record<WorkItemStatus, IconName>> = {
  pending: 'dot',
  'in-progress': 'play',
  complete: 'check',
  escalated: 'warn',
};

export function Overview() {
  const { job, can, command } = useJob();
  return (
    <div class="columns">
      <div class="stack">
        <Show when={isAskedOnOverview(job())}>
          <section class={`asked ${pickStateTone(job())}`} aria-label="What you are asked">
            <AskCard job={job()} can={can} command={command} />
          </section>
        </Show>
        <Show when={job().parked?.kind === 'quota' && job().parked}>
          {(parking) => <WaitsForQuota parked={parking()} />}
        </Show>
        <Show when={job().parked?.kind === 'paused' && job().params.repoCheckoutAbsDir}>
          <p class="muted">
            To work in its checkout yourself, on the machine of the runner:{' '}
            <code>svc checkout {job().id}</code>
          </p>
        </Show>
        <WhyPanel />
        <Timeline />
        <Messages />
      </div>
      <div class="stack">
        <section class="section">
          <h2>Request</h2>
          <p class="description" dir="auto" tabindex="0">
            {job().description || 'Without a description.'}
          </p>
        </section>
        <Show when={job().workItems.length > 0}>
          <section class="section">
            <h2>Work items</h2>
            <ul class="plain items">
              <For each={job().workItems}>
                {(item) => (
                  <li>
                    <Icon name={WORK_ICONS[item.status]} class={item.status} />
                    <bdi class="grow">{item.title}</bdi>
                    <small>{toPlainStatus(item.status)}</small>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>
        <Show when={job().prMappings.length > 0}>
          <section class="section">
            <h2>Pull requests</h2>
            <ul class="plain items">
              <For each={job().prMappings}>
                {(pr) => (
                  <li>
                    <Icon name="merge" />
                    <a class="grow" dir="auto" href={toJobHash(job().id, 'changes', pr.prId)}>
                      {pr.title}
                    </a>
                    <Show when={pr.problem}>
                      {(why) => (
                        <small class="muted" dir="auto">
                          {why()}
                        </small>
                      )}
                    </Show>
                    <span
                      class={`pill ${pr.state === 'merged' ? 'good' : pr.state === 'open' ? 'working' : ''}`}
                    >
                      {pr.state}
                    </span>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>
        <Show when={job().artefacts.length > 0}>
          <section class="section">
            <h2>Artefacts</h2>
            <ul class="plain items">
              <For each={job().artefacts}>
                {(artefact) => (
                  <li>
                    <Icon name="file" />
                    <a class="grow" dir="auto" href={toJobHash(job().id, 'artefacts', artefact.id)}>
                      {artefact.title}
                    </a>
                    <small>{formatKibibytes(artefact.size)}</small>
                  </li>
                )}
              </For>
            </ul>
          </section>
        </Show>
        <Show when={job().insights.length > 0}>
          <Insights />
        </Show>
        {/* Where no session has reported any, the card of the cost reports it. */}
        <Show when={job().tokenUsage.length > 0}>
          <TokensChart usage={job().tokenUsage} unreported={job().unreported} />
        </Show>
        <RatingCard />
        <Show when={job().cost}>
          <CostCard job={job()} />
        </Show>
        <CardBoundary loading="">
          <BudgetCard job={job()} />
        </CardBoundary>
        <section class="section">
          <details>
            <summary>Params</summary>
            <pre class="json">{JSON.stringify(job().params, null, 2)}</pre>
          </details>
        </section>
      </div>
    </div>
  );
}
