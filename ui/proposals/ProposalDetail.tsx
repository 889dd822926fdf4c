import { For, type JSX, Show } from 'solid-js';
import type { Proposal } from '../../src/schema/proposal.ts';
import { DiffView } from '../jobs/changes/DiffView.tsx';
import { age, dateTime } from '../jobs/jobText.ts';
import { Markdown } from '../shell/Markdown.tsx';
import { nowForAges } from '../shell/now.ts';
import { hashOf, jobHash } from '../shell/router.ts';
import { shownText } from '../shell/shownText.ts';
import { DecideProposal } from './DecideProposal.tsx';
import { placeOf, STATES, stateSays, titleOf, WARNINGS } from './proposalText.ts';

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

/** One proposal: why, what it means, what to beware of, its lines, and what can be done with it. */
export function ProposalDetail(props: { proposal: Proposal; changed: () => void }) {
  const checks = () => props.proposal.checks;
  const rest = () => props.proposal.description.trim().split('\n').slice(1).join('\n').trim();
  const conflicts = () =>
    props.proposal.files.flatMap(({ path, conflicts: found }) =>
      found.map((conflict) => ({ path, ...conflict })),
    );
  const diff = () => props.proposal.files.map((file) => file.diff).join('');
  return (
    <article class="proposal-detail stack" aria-labelledby="proposal-title">
      <a class="proposal-back" href="#/proposals">
        All proposals
      </a>
      <header class="stack">
        <h2 id="proposal-title">{shownText(titleOf(props.proposal))}</h2>
        <p class="row">
          <a
            class={`pill ${STATES[props.proposal.state].tone}`}
            href={hashOf(['machines', 'proposal'])}
          >
            {stateSays(props.proposal)}
          </a>
          <span>
            {props.proposal.kind} {placeOf(props.proposal)}
          </span>
          <small title={dateTime(props.proposal.at)}>
            proposed {age(props.proposal.at, nowForAges())} by{' '}
            <Show when={props.proposal.jobId} fallback="a person">
              {(id) => (
                <>
                  the agent of{' '}
                  <a href={jobHash(id())}>
                    <bdi>{id()}</bdi>
                  </a>
                  , phase <bdi>{props.proposal.phase}</bdi>
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
          {(problem) => <p class="problem-line">{shownText(problem())}</p>}
        </Show>
        <Show when={props.proposal.link}>
          {(link) => (
            <p>
              Pull request: <bdi>{shownText(link())}</bdi>
            </p>
          )}
        </Show>
        <Show when={props.proposal.supersededBy}>
          {(id) => (
            <p>
              Replaced by <a href={hashOf(['proposals', id()])}>{id()}</a>
            </p>
          )}
        </Show>
        <DecideProposal proposal={props.proposal} changed={props.changed} />
      </header>
      <Section says="Before you approve" when={(checks()?.warnings.length ?? 0) > 0}>
        <ul class="plain proposal-warnings">
          <For each={checks()?.warnings}>
            {({ kind, path, says }) => (
              <li>
                <span class={`pill ${kind === 'large' ? '' : 'needs-you'}`}>{WARNINGS[kind]}</span>
                <span>
                  <bdi>{shownText(path)}</bdi> {shownText(says)}
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
                <bdi>{shownText(path)}</bdi>: {shownText(says)}
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
                <bdi>{shownText(path)}</bdi>: {shownText(says)}
              </li>
            )}
          </For>
          <For each={checks()?.findings}>
            {({ file, line, column, severity, message }) => (
              <li>
                <bdi>{shownText(`${file}:${line}:${column}`)}</bdi> {severity}: {shownText(message)}
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
                <bdi>{shownText(path)}</bdi>, line {line}: changed since, and changed here too.
              </p>
              <dl>
                <dt>Was</dt>
                <dd>
                  <pre>{shownText(base)}</pre>
                </dd>
                <dt>Is now</dt>
                <dd>
                  <pre>{shownText(current)}</pre>
                </dd>
                <dt>Proposed</dt>
                <dd>
                  <pre>{shownText(proposed)}</pre>
                </dd>
              </dl>
            </div>
          )}
        </For>
      </Section>
      <Section says="Lines" when={diff() !== ''}>
        <DiffView text={diff()} />
      </Section>
      <Show when={props.proposal.approval ?? props.proposal.rejection}>
        {(decided) => (
          <p class="muted">
            {props.proposal.rejection ? 'Rejected' : 'Approved'} by {shownText(decided().author)}{' '}
            <span title={dateTime(decided().at)}>{age(decided().at, nowForAges())}</span>
            <Show when={decided().reason}>{(why) => <>: {shownText(why())}</>}</Show>
          </p>
        )}
      </Show>
      <p class="muted proposal-hash">
        Content <code>{props.proposal.hash.slice(0, 12)}</code>; an approval is for exactly this.
      </p>
    </article>
  );
}
