import { createMemo, createSignal, For, Match, Show, Switch } from 'solid-js';
import type { Campaign } from '../../src/schema/campaign.ts';
import { GraphCanvas } from '../chart/GraphCanvas.tsx';
import type { Item } from '../chart/items.ts';
import { count } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Problem } from '../shell/Problem.tsx';
import { jobHash } from '../shell/router.ts';
import { campaignGraph, campaignLook, countsOf, subRunName, TONE_OF } from './campaignGraph.ts';
import { followCampaign } from './followCampaign.ts';
import { SubRunSide } from './SubRunSide.tsx';
import '../chart/chart.css';
import './campaign.css';

const NO_ONE: readonly never[] = [];

/**
 * The sub-runs of one job: their graph as it is now, what each waits for, and what a person can do.
 */
export function CampaignPage(props: { jobId: string }) {
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
            {(found) => <OpenCampaign campaign={found()} look={look} />}
          </Show>
        );
      }}
    </Show>
  );
}

function OpenCampaign(props: { campaign: Campaign; look: () => void }) {
  const [selected, setSelected] = createSignal<Item | null>(null);
  const [predicted, setPredicted] = createSignal<readonly string[]>(NO_ONE);
  const subRuns = () => props.campaign.subRuns;
  const named = createMemo(() => new Map(subRuns().map((subRun) => [subRun.name, subRun])));
  const drawnText = createMemo(() => JSON.stringify(campaignGraph(subRuns())));
  const graph = createMemo(() => JSON.parse(drawnText()) as ReturnType<typeof campaignGraph>);
  const look = createMemo(() => campaignLook(props.campaign, selected(), predicted()));
  const chosen = () => (selected() === null ? undefined : named().get(selected()?.id ?? ''));
  const choose = (item: Item | null) => {
    setSelected(item);
    setPredicted(NO_ONE);
  };
  const nameOf = ({ id }: Item) => {
    const subRun = named().get(id);
    return subRun ? subRunName(subRun) : id;
  };
  return (
    <div class="campaign">
      <Head campaign={props.campaign} />
      <div class="chart">
        <GraphCanvas
          graph={graph()}
          subject={props.campaign.jobId}
          direction="RIGHT"
          label="Sub-runs and their dependencies"
          look={look()}
          selected={selected()}
          select={choose}
          nameOf={nameOf}
          aim={selected()?.id ?? null}
          home={subRuns().find(({ status }) => status === 'dispatched')?.name ?? null}
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
            <Match when={chosen()}>
              {(subRun) => (
                <SubRunSide
                  jobId={props.campaign.jobId}
                  subRun={subRun()}
                  predict={setPredicted}
                  changed={props.look}
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

function Head(props: { campaign: Campaign }) {
  return (
    <header class="campaign-head">
      <p>
        <strong>{props.campaign.state}</strong>: waiting {props.campaign.waitsFor}.
      </p>
      <p class="row">
        <For each={countsOf(props.campaign.subRuns)}>
          {({ status, count: many }) => (
            <span class={`pill ${TONE_OF[status]}`}>
              {many} {status}
            </span>
          )}
        </For>
        <span class="muted">
          {count(props.campaign.tokens.inputTokens)} tokens in (
          {count(props.campaign.tokens.cachedInputTokens)} cached),{' '}
          {count(props.campaign.tokens.outputTokens)} out, including the parent · at most{' '}
          {props.campaign.maxParallelSubRuns} at once · {props.campaign.failurePolicy}
        </span>
      </p>
    </header>
  );
}

function Overview(props: { campaign: Campaign; choose: (name: string) => void }) {
  return (
    <>
      <Show when={props.campaign.criticalPath.length > 0}>
        <h2>Critical path</h2>
        <p>{props.campaign.criticalPath.join(' → ')}</p>
      </Show>
      <h2>Sub-runs</h2>
      <ul class="plain chart-ways">
        <For each={props.campaign.subRuns}>
          {({ name, status, waitsFor, reason }) => (
            <li>
              <button type="button" class="chart-way" onClick={() => props.choose(name)}>
                <span>
                  {name} <span class={`pill ${TONE_OF[status]}`}>{status}</span>
                </span>
                <Show when={waitsFor ? `waits ${waitsFor}` : reason}>
                  {(why) => <small>{why()}</small>}
                </Show>
              </button>
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

function ContractDrift(props: { campaign: Campaign }) {
  return (
    <Show when={props.campaign.contractDrift.length > 0}>
      <section class="card" aria-labelledby="contract-drift">
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
                      return jobId ? <a href={jobHash(jobId)}>{name()}</a> : name();
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
