import { createMemo, createSignal, For, Index, Match, Show, Switch } from 'solid-js';
import { formatCost } from '../../src/base/spending/formatCost.ts';
import { describeTokens } from '../../src/base/spending/tokenText.ts';
import type { JobCost } from '../../src/contract/schema/policy/costs.ts';
import type { Campaign, SubRunView } from '../../src/contract/schema/job/campaign.ts';
import { GraphCanvas } from '../chart/GraphCanvas.tsx';
import type { ChartItem } from '../chart/chartItems.ts';
import { formatShortCount, type Tone } from '../jobs/jobText.ts';
import { splitReason } from '../jobs/plainText.ts';
import { Failure } from '../jobs/Failure.tsx';
import { StatusMark } from '../jobs/StatusMark.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/problems/Problem.tsx';
import { toJobHash } from '../shell/navigation/router.ts';
import {
  buildCampaignGraph,
  buildCampaignLook,
  countSubRunStatuses,
  describeStatusInCampaign,
  describeSubRunBox,
  TONE_OF,
} from './buildCampaignGraph.ts';
import { followCampaign } from './followCampaign.ts';
import {
  listBrokenSubRuns,
  sortFailuresFirst,
  describeCampaignStanding,
} from './campaignStanding.ts';
import { RerunFailed } from './RerunFailed.tsx';
import { SubRunSide } from './SubRunSide.tsx';
import '../chart/chart.css';
import './campaign.css';

const NO_ONE: readonly never[] = [];

/** How the job has ended; null while it has not. */
type CampaignEnding = { tone: Tone; status: string } | null;

/** The sub-runs of a job: their graph, what each waits for, and what a person can do. */
export function CampaignPage(props: {
  jobId: string;
  ended: CampaignEnding;
  cost: JobCost | undefined;
}) {
  const { client, connection } = useDashboard();
  return (
    <Show when={props.jobId} keyed>
      {(jobId) => {
        const { campaign, problem, look } = followCampaign(client, connection, jobId);
        return (
          <Show
            when={campaign()}
            fallback={
              <Show when={problem()} fallback={<p class="muted">Loading the campaign …</p>}>
                {(error) => <Problem error={error()} retry={look} />}
              </Show>
            }
          >
            {(campaign) => (
              <OpenCampaign
                campaign={campaign()}
                ended={props.ended}
                cost={props.cost}
                look={look}
              />
            )}
          </Show>
        );
      }}
    </Show>
  );
}

interface OpenProps {
  campaign: Campaign;
  ended: CampaignEnding;
  /** Of all sub-runs too; undefined where it is not known. */
  cost: JobCost | undefined;
  look: () => void;
}

function OpenCampaign(props: OpenProps) {
  const [selectedItem, setSelectedItem] = createSignal<ChartItem | null>(null);
  const [predictedNames, setPredictedNames] = createSignal<readonly string[]>(NO_ONE);
  const subRuns = () => props.campaign.subRuns;
  const subRunsByName = createMemo(() => new Map(subRuns().map((subRun) => [subRun.name, subRun])));
  const drawnText = createMemo(() =>
    JSON.stringify(buildCampaignGraph(subRuns(), props.campaign.state)),
  );
  const graph = createMemo(() => JSON.parse(drawnText()) as ReturnType<typeof buildCampaignGraph>);
  const look = createMemo(() =>
    buildCampaignLook(props.campaign, selectedItem(), predictedNames()),
  );
  const chosenSubRun = () =>
    selectedItem() === null ? undefined : subRunsByName().get(selectedItem()?.id ?? '');
  const hasFailures = () => listBrokenSubRuns(subRuns()).length > 0;
  const choose = (item: ChartItem | null) => {
    setSelectedItem(item);
    setPredictedNames(NO_ONE);
  };
  const describeItem = ({ id }: ChartItem) => {
    const subRun = subRunsByName().get(id);
    return subRun ? describeSubRunBox(subRun) : id;
  };
  return (
    <div class="campaign">
      <Head campaign={props.campaign} ended={props.ended} cost={props.cost} look={props.look} />
      <div class="chart">
        <GraphCanvas
          graph={graph()}
          subject={props.campaign.jobId}
          direction="FIT"
          label="Sub-runs and their dependencies"
          look={look()}
          selected={selectedItem()}
          select={choose}
          describeItem={describeItem}
          aim={selectedItem()?.id ?? null}
          homeText={hasFailures() ? 'First failure' : 'Now'}
          home={sortFailuresFirst(subRuns())[0]?.name ?? null}
        >
          <span class="campaign-key">
            <i class="critical-line" /> critical path
          </span>
        </GraphCanvas>
        <aside class="chart-side" aria-label="Selection">
          <Switch
            fallback={
              <Overview
                campaign={props.campaign}
                choose={(name) => choose({ kind: 'box', id: name })}
              />
            }
          >
            <Match when={chosenSubRun()}>
              {(subRun) => (
                <SubRunSide
                  jobId={props.campaign.jobId}
                  subRun={subRun()}
                  state={props.campaign.state}
                  predict={setPredictedNames}
                  onChange={props.look}
                  close={() => choose(null)}
                />
              )}
            </Match>
          </Switch>
        </aside>
      </div>
      <ContractDrift campaign={props.campaign} />
    </div>
  );
}

function Head(props: OpenProps) {
  const standing = () => describeCampaignStanding(props.campaign, props.ended);
  return (
    <header class="campaign-head">
      <div class="row">
        <h2 class={`campaign-standing ${standing().tone}`}>
          <StatusMark tone={standing().tone} /> {standing().title}
        </h2>
        <span class="grow">{standing().text}</span>
        <RerunFailed
          jobId={props.campaign.jobId}
          subRuns={props.campaign.subRuns}
          onChange={props.look}
        />
      </div>
      <p class="row">
        <For each={countSubRunStatuses(props.campaign.subRuns)}>
          {({ status, count: many }) => (
            <span class={`pill ${TONE_OF[status]}`}>
              {many} {describeStatusInCampaign(status, props.campaign.state)}
            </span>
          )}
        </For>
        <span class="muted">
          {formatCampaignTokens(props.campaign)}
          {props.cost ? ` · ${formatCost(props.cost)}` : ''} · at most{' '}
          {props.campaign.maxParallelSubRuns} at once · {POLICY[props.campaign.failurePolicy]}
        </span>
      </p>
    </header>
  );
}

const POLICY: Readonly<Record<Campaign['failurePolicy'], string>> = {
  'halt-on-failure': 'halts on a failure',
  continue: 'continues after a failure',
};

const formatCampaignTokens = ({ tokens, unreported }: Campaign): string =>
  `tokens of all sessions: ${describeTokens({ ...tokens, unreported }, formatShortCount)}`;

function Overview(props: { campaign: Campaign; choose: (name: string) => void }) {
  return (
    <>
      <Show when={props.campaign.criticalPath.length > 0}>
        <h2>Critical path</h2>
        <p>{props.campaign.criticalPath.join(' → ')}</p>
      </Show>
      <h2>Sub-runs</h2>
      <ul class="plain chart-ways">
        <Index each={sortFailuresFirst(props.campaign.subRuns)}>
          {(subRun) => (
            <li>
              <button type="button" class="chart-way" onClick={() => props.choose(subRun().name)}>
                <span>
                  <bdi>{subRun().name}</bdi>{' '}
                  <span class={`pill ${TONE_OF[subRun().status]}`}>
                    {describeStatusInCampaign(subRun().status, props.campaign.state)}
                  </span>
                </span>
                <Show when={explainSubRunState(subRun(), props.campaign.state)}>
                  {(why) => <small dir="auto">{why()}</small>}
                </Show>
              </button>
              <Show when={subRun().lastOutput}>
                {(output) => (
                  <Failure
                    jobId={subRun().jobId ?? props.campaign.jobId}
                    reason={null}
                    output={output()}
                    of={subRun().name}
                  />
                )}
              </Show>
            </li>
          )}
        </Index>
      </ul>
    </>
  );
}

/** What it waits for, or why it has ended as it has; null where nothing is known. */
const explainSubRunState = (
  { status, waitsFor, reason }: SubRunView,
  state: Campaign['state'],
): string | null => {
  // The head already says what holds all sub-runs.
  if (describeStatusInCampaign(status, state) === 'on hold') return null;
  return waitsFor ? `Waits ${waitsFor}` : reason && splitReason(reason).short;
};

function ContractDrift(props: { campaign: Campaign }) {
  return (
    <Show when={props.campaign.contractDrift.length > 0}>
      <section class="section" aria-labelledby="contract-drift">
        <h2 id="contract-drift">Contracts that have drifted</h2>
        <ul>
          <For each={props.campaign.contractDrift}>
            {({ text, subRun, phase }) => (
              <li>
                {text}{' '}
                <small>
                  <Show when={subRun} fallback="the parent">
                    {(name) => {
                      const jobId = props.campaign.subRuns.find(
                        (one) => one.name === name(),
                      )?.jobId;
                      return jobId ? <a href={toJobHash(jobId)}>{name()}</a> : name();
                    }}
                  </Show>
                  , {phase}
                </small>
              </li>
            )}
          </For>
        </ul>
      </section>
    </Show>
  );
}
