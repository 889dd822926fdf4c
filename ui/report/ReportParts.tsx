import { For, Show, type JSX } from 'solid-js';
import { describeFailures } from '../../src/base/jobs/describeFailures.ts';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import { describeNeeds } from '../../src/base/jobs/describeNeeds.ts';
import type { Report } from '../../src/contract/schema/api/report.ts';
import { BudgetRows } from '../budgets/BudgetRows.tsx';
import { AccountRow } from '../budgets/AccountRow.tsx';
import { formatShortCount } from '../jobs/jobText.ts';
import { describeStopCause, isFailedStop, pickStopTone } from './describeStops.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { toInboxHash } from '../shell/navigation/router.ts';
import { CostByJob } from './CostByJob.tsx';
import { ReportRow } from './ReportRow.tsx';

const OUTCOMES = {
  complete: { says: 'Complete', tone: 'good' },
  partial: { says: 'Partly complete', tone: 'partial' },
  cancelled: { says: 'Cancelled', tone: 'over' },
} as const;

/** What needs a person first, then the outcome of everything else, then the costs. */
export function ReportParts(props: { report: Report; onChanged: () => void }) {
  const failedStops = () => props.report.stops.filter(isFailedStop);
  const otherStops = () => props.report.stops.filter((stop) => !isFailedStop(stop));
  const isQuiet = () =>
    Object.values(props.report.jobs).every((number) => number === 0) && props.report.costsOf === 0;
  return (
    <>
      <Show
        when={!isQuiet()}
        fallback={
          <div class="empty">
            <h2>Nothing happened</h2>
            <p>
              No job ended in this period, none works or waits, and no model was used. Choose a
              longer period, or start a job.
            </p>
            <IfOffered to="createJob">
              <a class="button" href="#/new">
                <Icon name="plus" /> New job
              </a>
            </IfOffered>
          </div>
        }
      >
        <Needs needs={props.report.needs} />
        <Figures report={props.report} />
        <Part
          name="approvals"
          title="Approvals that wait"
          none="No approval waits."
          of={props.report.approvals}
        >
          {(one) => (
            <ReportRow
              job={one}
              href={toInboxHash(one.jobId)}
              says={`Approval of ${one.phase}`}
              tone="needs-you"
            />
          )}
        </Part>
        <Part
          name="reviews"
          title="Pull requests that wait for a review"
          none="No pull request waits for a review."
          of={props.report.reviews}
        >
          {(one) => (
            <ReportRow
              job={one}
              href={toInboxHash(one.jobId)}
              says="Review or merge"
              tone="needs-you"
            />
          )}
        </Part>
        <Part name="stops" title="Stopped" none="No job has stopped." of={otherStops()}>
          {(one) => (
            <ReportRow
              job={one}
              says={describeStopCause(one)}
              tone={pickStopTone(one)}
              stop={one}
            />
          )}
        </Part>
        <Part name="failed" title="Failed" none="No job failed." of={failedStops()}>
          {(one) => <ReportRow job={one} says={describeStopCause(one)} tone="bad" stop={one} />}
        </Part>
        <Part
          name="finished"
          title="Finished"
          none="No job was finished."
          of={props.report.finished}
        >
          {(one) => <ReportRow job={one} {...OUTCOMES[one.outcome]} />}
        </Part>
      </Show>
      <section class="section" aria-labelledby="spent">
        <h2 id="spent">Budgets</h2>
        <Show
          when={props.report.budgets.length > 0}
          fallback={
            <p class="muted">
              No limit is set: jobs may use what they need. <a href="#/budgets">Set a limit</a>
            </p>
          }
        >
          <BudgetRows budgets={props.report.budgets} onChanged={props.onChanged} />
        </Show>
      </section>
      <Show when={props.report.costs.length > 0}>
        <CostByJob report={props.report} />
      </Show>
      <Show when={props.report.pools.length > 0}>
        <section class="section" aria-labelledby="accounts">
          <h2 id="accounts">Model accounts</h2>
          <ul class="plain budget-rows">
            <For each={props.report.pools}>{(account) => <AccountRow account={account} />}</For>
          </ul>
        </section>
      </Show>
    </>
  );
}

function Needs(props: { needs: Report['needs'] }) {
  const all = () => props.needs.me + props.needs.proposals;
  return (
    <p>
      <Show when={all() > 0} fallback="Nothing needs you now.">
        <a href={toInboxHash(null)}>{formatShortCount(all())} need you now</a>:{' '}
        {describeNeeds(props.needs)}.
      </Show>
    </p>
  );
}

function Part<Of>(props: {
  name: string;
  title: string;
  none: string;
  of: readonly Of[];
  children: (one: Of) => JSX.Element;
}) {
  return (
    <section class="section" aria-labelledby={props.name}>
      <div class="section-head">
        <h2 id={props.name}>{props.title}</h2>
        <Show when={props.of.length > 0}>
          <small>{formatShortCount(props.of.length)}</small>
        </Show>
      </div>
      <Show when={props.of.length > 0} fallback={<p class="muted">{props.none}</p>}>
        <ul class="plain report-rows">
          <For each={props.of}>{(one) => props.children(one)}</For>
        </ul>
      </Show>
    </section>
  );
}

function Figures(props: { report: Report }) {
  const figures = () => {
    const { jobs, cost } = props.report;
    return [
      ['Complete', formatShortCount(jobs.complete)],
      ['Partly complete', formatShortCount(jobs.partial)],
      ['Failed', formatShortCount(jobs.failed), describeFailures(props.report.failures)],
      ['Cancelled', formatShortCount(jobs.cancelled)],
      ['Working now', formatShortCount(jobs.working)],
      ['Queued now', formatShortCount(jobs.queued)],
      ['Waiting now', formatShortCount(jobs.waiting)],
      ['Cost', cost.calls === 0 && cost.unpriced === 0 ? 'no model used' : formatCost(cost)],
    ] as const;
  };
  return (
    <dl class="figures">
      <For each={figures()}>
        {([name, figure, more]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              {figure} <Show when={more}>{(text) => <small>{text()}</small>}</Show>
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}
