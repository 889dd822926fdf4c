import { createEffect, on, onCleanup, onMount, Show, For } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { MAX_PROPOSALS } from '../../src/base/agents/proposals.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { useStore } from '../shell/useStore.ts';
import { ProposalDetail } from './ProposalDetail.tsx';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import './proposals.css';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import { formatAge } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { GROUPS, STATES, describeProposalState, readProposalTitle } from './proposalText.ts';

function ProposalList(props: { proposals: readonly ProposalSummary[]; open: string | null }) {
  return (
    <nav class="proposal-list" aria-label="Proposals">
      <For each={GROUPS}>
        {([says, states]) => {
          const ofGroup = () => props.proposals.filter(({ state }) => states.includes(state));
          return (
            <Show when={ofGroup().length > 0}>
              <h2>{says}</h2>
              <ul class="plain">
                <For each={ofGroup()}>
                  {(one) => (
                    <li>
                      <a
                        href={toRouteHash(['proposals', one.id])}
                        aria-current={one.id === props.open ? 'page' : undefined}
                      >
                        <span class="grow">
                          <strong>{revealTurningCharacters(readProposalTitle(one))}</strong>
                          <small>
                            {one.kind}, {formatAge(one.at, nowForAges())}
                            <Show when={one.warnings > 0}>
                              , {one.warnings} {one.warnings === 1 ? 'warning' : 'warnings'}
                            </Show>
                          </small>
                        </span>
                        <span class={`pill ${STATES[one.state].tone}`}>
                          {describeProposalState(one)}
                        </span>
                      </a>
                    </li>
                  )}
                </For>
              </ul>
            </Show>
          );
        }}
      </For>
    </nav>
  );
}

/** How often a visible page reads them again, ms. */
const AGAIN_MS = 10_000;

/** What agents propose to change of workflows, agents, skills and memory. */
export function ProposalsPage(props: { proposalId: string | null }) {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [list, listAgain] = createReading(() => client.proposals({ limit: MAX_PROPOSALS }));
  /** On a wide page one is always open: the first that waits for a person, else the first. */
  const openId = () => {
    if (props.proposalId !== null) return props.proposalId;
    const knownProposals = list.latest?.proposals ?? [];
    return (knownProposals.find(({ state }) => state === 'open') ?? knownProposals[0])?.id ?? null;
  };
  const [open, openAgain] = createReading(openId, (id) => client.proposal(id));
  const again = () => {
    void listAgain.refetch();
    void openAgain.refetch();
  };
  createEffect(on(reconnects, again, { defer: true }));
  onMount(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    onCleanup(() => clearInterval(timer));
  });
  const getShownProposal = () => (open.latest?.id === openId() ? open.latest : undefined);
  return (
    <div class="page proposals-page" classList={{ 'has-proposal': props.proposalId !== null }}>
      <div class="page-head">
        <h1>Proposals</h1>
        <HeadButton says="Refresh" icon="redo" disabled={list.loading} onClick={again} />
      </div>
      <ReadingView reading={list} retry={again}>
        <Show when={list.latest} fallback={<p class="muted">Loading …</p>}>
          {(page) => (
            <Show
              when={page().proposals.length > 0}
              fallback={
                <div class="empty">
                  <h2>No proposals yet</h2>
                  <p>
                    Agents propose changes of workflows, agents, skills and memory; they wait here
                    until a person approves and applies them.
                  </p>
                  <p class="row">
                    <a class="button" href={toRouteHash(['insights'])}>
                      <Icon name="bulb" /> Propose an insight for the memory
                    </a>
                  </p>
                </div>
              }
            >
              <div class="proposals-columns">
                <ProposalList proposals={page().proposals} open={openId()} />
                <Show when={openId()}>
                  <ReadingView reading={open} retry={again}>
                    <Show when={getShownProposal()} fallback={<p class="muted">Loading …</p>}>
                      {(proposal) => <ProposalDetail proposal={proposal()} onChange={again} />}
                    </Show>
                  </ReadingView>
                </Show>
              </div>
            </Show>
          )}
        </Show>
      </ReadingView>
    </div>
  );
}
