import { For, Show } from 'solid-js';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import { formatAge } from '../jobs/jobText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { GROUPS, STATES, describeProposalState, readProposalTitle } from './proposalText.ts';

export function ProposalList(props: {
  proposals: readonly ProposalSummary[];
  open: string | null;
}) {
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
