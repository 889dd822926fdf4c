import { createEffect, on, onCleanup, onMount, Show, For } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { MAX_PROPOSALS } from '../../src/base/agents/proposals.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { Problem } from '../shell/problems/Problem.tsx';
import { useStore } from '../shell/useStore.ts';
import { ProposalDetail } from './ProposalDetail.tsx';
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
  const healed = useStore(shell, (context) => context.healed);
  const [list, listAgain] = createReading(() => client.proposals({ limit: MAX_PROPOSALS }));
  const [open, openAgain] = createReading(
    () => props.proposalId ?? undefined,
    (id) => client.proposal(id),
  );
  const again = () => {
    void listAgain.refetch();
    if (props.proposalId !== null) void openAgain.refetch();
  };
  createEffect(on(healed, again, { defer: true }));
  onMount(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    onCleanup(() => clearInterval(timer));
  });
  const getShownProposal = () => (open.latest?.id === props.proposalId ? open.latest : undefined);
  return (
    <div class="page proposals-page" classList={{ 'has-proposal': props.proposalId !== null }}>
      <div class="page-head">
        <h1>Proposals</h1>
        <button type="button" class="quiet" disabled={list.loading} onClick={again}>
          <Icon name="redo" /> Refresh
        </button>
      </div>
      <Show when={!list.error} fallback={<Problem error={list.error} retry={again} />}>
        <Show when={list.latest} fallback={<p class="muted">Loading …</p>}>
          {(page) => (
            <Show
              when={page().proposals.length > 0}
              fallback={
                <p class="muted">
                  No proposals. Agents propose changes of workflows, agents, skills and memory; they
                  wait here until a person approves and applies them.
                </p>
              }
            >
              <div class="proposals-columns">
                <ProposalList proposals={page().proposals} open={props.proposalId} />
                <Show
                  when={props.proposalId}
                  fallback={<p class="muted proposals-hint">Select a proposal.</p>}
                >
                  <Show when={!open.error} fallback={<Problem error={open.error} retry={again} />}>
                    <Show when={getShownProposal()} fallback={<p class="muted">Loading …</p>}>
                      {(proposal) => <ProposalDetail proposal={proposal()} changed={again} />}
                    </Show>
                  </Show>
                </Show>
              </div>
            </Show>
          )}
        </Show>
      </Show>
    </div>
  );
}
