import { For, type JSX, Show } from 'solid-js';
import type { Proposal } from '../../src/contract/schema/workflow/proposal.ts';
import { LazyDiffView } from '../jobs/changes/LazyDiffView.ts';
import { formatAge, formatDateTime } from '../jobs/jobText.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { CardBoundary } from '../shell/problems/CardBoundary.tsx';
import { Markdown } from '../shell/markdown/Markdown.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { DecideProposal } from './DecideProposal.tsx';
import {
  describeProposalPlace,
  STATES,
  describeProposalState,
  readProposalTitle,
  WARNINGS,
} from './proposalText.ts';

function Section(props: { says: string; when: boolean; children: JSX.Element }) {
  return (
    <Show when={props.when}>
      <section class="section">
        <h3>{props.says}</h3>
        {props.children}
      </section>
    </Show>
  );
}

export function ProposalDetail(props: { proposal: Proposal; onChange: () => void }) {
  const checks = () => props.proposal.checks;
  const rest = () => props.proposal.description.trim().split('\n').slice(1).join('\n').trim();
  const conflicts = () =>
    props.proposal.files.flatMap(({ path, conflicts: fileConflicts }) =>
      fileConflicts.map((conflict) => ({ path, ...conflict })),
    );
  const diff = () => props.proposal.files.map((file) => file.diff).join('');
  return (
    <article class="proposal-detail stack" aria-labelledby="proposal-title">
      <a class="proposal-back" href="#/proposals">
        All proposals
      </a>
      <header class="stack">
        <h2 id="proposal-title">{revealTurningCharacters(readProposalTitle(props.proposal))}</h2>
        <p class="row">
          <a
            class={`pill ${STATES[props.proposal.state].tone}`}
            href={toRouteHash(['machines', 'proposal'])}
          >
            {describeProposalState(props.proposal)}
          </a>
          <span>
            {props.proposal.kind} {describeProposalPlace(props.proposal)}
          </span>
          <small title={formatDateTime(props.proposal.at)}>
            proposed {formatAge(props.proposal.at, nowForAges())} by{' '}
            <Show
              when={props.proposal.jobId}
              fallback={<bdi>{revealTurningCharacters(props.proposal.proposer ?? 'a person')}</bdi>}
            >
              {(id) => (
                <>
                  the agent of <JobLink jobId={id()} />, phase <bdi>{props.proposal.phase}</bdi>
                </>
              )}
            </Show>
          </small>
        </p>
        <Show when={rest()}>
          <div class="proposal-why">
            <Markdown text={rest()} />
          </div>
        </Show>
        <Show when={props.proposal.problem}>
          {(problem) => <p class="problem-line">{revealTurningCharacters(problem())}</p>}
        </Show>
        <Show when={props.proposal.link}>
          {(link) => (
            <p>
              Pull request: <bdi>{revealTurningCharacters(link())}</bdi>
            </p>
          )}
        </Show>
        <Show when={props.proposal.supersededBy}>
          {(id) => (
            <p>
              Replaced by <a href={toRouteHash(['proposals', id()])}>{id()}</a>
            </p>
          )}
        </Show>
        <DecideProposal proposal={props.proposal} onChange={props.onChange} />
      </header>
      <Section says="Before you approve" when={(checks()?.warnings.length ?? 0) > 0}>
        <ul class="plain proposal-warnings">
          <For each={checks()?.warnings}>
            {({ kind, path, says }) => (
              <li>
                <span class={`pill ${kind === 'large' ? '' : 'needs-you'}`}>{WARNINGS[kind]}</span>
                <span>
                  <bdi>{revealTurningCharacters(path)}</bdi> {revealTurningCharacters(says)}
                </span>
              </li>
            )}
          </For>
        </ul>
      </Section>
      <Section says="What changes" when={(checks()?.meaning.length ?? 0) > 0}>
        <ul>
          <For each={checks()?.meaning}>
            {({ path, says }) => (
              <li>
                <bdi>{revealTurningCharacters(path)}</bdi>: {revealTurningCharacters(says)}
              </li>
            )}
          </For>
        </ul>
      </Section>
      <Section
        says="Checks"
        when={(checks()?.simulated.length ?? 0) + (checks()?.findings.length ?? 0) > 0}
      >
        <ul>
          <For each={checks()?.simulated}>
            {({ path, says }) => (
              <li>
                <bdi>{revealTurningCharacters(path)}</bdi>: {revealTurningCharacters(says)}
              </li>
            )}
          </For>
          <For each={checks()?.findings}>
            {({ file, line, column, severity, message }) => (
              <li>
                <bdi>{revealTurningCharacters(`${file}:${line}:${column}`)}</bdi> {severity}:{' '}
                {revealTurningCharacters(message)}
              </li>
            )}
          </For>
        </ul>
      </Section>
      <Section says="Conflicts" when={conflicts().length > 0}>
        <For each={conflicts()}>
          {({ path, line, base, proposed, current }) => (
            <div class="proposal-conflict">
              <p>
                <bdi>{revealTurningCharacters(path)}</bdi>, line {line}: changed since, and changed
                here too.
              </p>
              <dl>
                <dt>Was</dt>
                <dd>
                  <pre>{revealTurningCharacters(base)}</pre>
                </dd>
                <dt>Is now</dt>
                <dd>
                  <pre>{revealTurningCharacters(current)}</pre>
                </dd>
                <dt>Proposed</dt>
                <dd>
                  <pre>{revealTurningCharacters(proposed)}</pre>
                </dd>
              </dl>
            </div>
          )}
        </For>
      </Section>
      <Section says="Lines" when={diff() !== ''}>
        <CardBoundary>
          <LazyDiffView text={diff()} />
        </CardBoundary>
      </Section>
      <Show when={props.proposal.approval ?? props.proposal.rejection}>
        {(decision) => (
          <p class="muted">
            {props.proposal.rejection ? 'Rejected' : 'Approved'} by{' '}
            {revealTurningCharacters(decision().author)}{' '}
            <span title={formatDateTime(decision().at)}>
              {formatAge(decision().at, nowForAges())}
            </span>
            <Show when={decision().reason}>{(why) => <>: {revealTurningCharacters(why())}</>}</Show>
          </p>
        )}
      </Show>
      <p class="muted proposal-hash">
        Content <code>{props.proposal.hash.slice(0, 12)}</code>; an approval covers exactly this
        content.
      </p>
    </article>
  );
}
