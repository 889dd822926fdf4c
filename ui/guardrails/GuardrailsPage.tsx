import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { createReading } from '../shell/signals/createReading.ts';
import { DEFAULT_DECISIONS, MAX_DECISIONS } from '../../src/base/agents/guardrails.ts';
import { formatShortCount, formatAge, formatDateTime } from '../jobs/jobText.ts';
import { useDashboard } from '../shell/dashboard.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { ReadingView } from '../shell/problems/ReadingView.tsx';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { useStore } from '../shell/useStore.ts';
import { RuleRow } from './RuleRow.tsx';
import { HeadButton } from '../shell/controls/HeadButton.tsx';
import './guardrails.css';
import type { GuardrailDecision } from '../../src/contract/schema/policy/guardrailView.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { RESULTS, formatGuardrailMessage, describeWantedTool } from './guardrailText.ts';

function DecisionRow(props: { decision: GuardrailDecision }) {
  return (
    <li class="guardrail-row">
      <p class="guardrail-head">
        <span class={`pill ${RESULTS[props.decision.result].tone}`}>
          {RESULTS[props.decision.result].says}
        </span>
        <strong>
          <bdi>{props.decision.rule}</bdi>
        </strong>
        <bdi>{revealTurningCharacters(describeWantedTool(props.decision))}</bdi>
        <Show when={props.decision.times > 1}>
          <small>{formatShortCount(props.decision.times)} times</small>
        </Show>
        <small title={formatDateTime(props.decision.at)}>
          {formatAge(props.decision.at, nowForAges())}
        </small>
        <Show when={props.decision.allowed}>
          <span class="pill good">allowed</span>
        </Show>
      </p>
      <p class="guardrail-said">
        {revealTurningCharacters(formatGuardrailMessage(props.decision))}
      </p>
      <Show when={props.decision.jobId} fallback={<p class="muted">No job was created.</p>}>
        {(jobId) => (
          <p>
            <JobLink jobId={jobId()} />
          </p>
        )}
      </Show>
    </li>
  );
}

/** The rules about what agents do, and what they did not let pass; of one rule where the address names it. */
export function GuardrailsPage(props: { rule: string | undefined }) {
  const { client, shell } = useDashboard();
  const reconnects = useStore(shell, (context) => context.healed);
  const [rules, rulesAgain] = createReading(() => client.guardrails());
  const [limit, setLimit] = createSignal(DEFAULT_DECISIONS);
  const [decisions, decisionsAgain] = createReading(
    () => ({ limit: limit(), ...(props.rule === undefined ? {} : { rule: props.rule }) }),
    (query) => client.guardrailDecisions(query),
  );
  const again = () => {
    void rulesAgain.refetch();
    void decisionsAgain.refetch();
  };
  createEffect(on(reconnects, again, { defer: true }));
  return (
    <div class="page guardrails-page">
      <div class="page-head">
        <h1>Guardrails</h1>
        <HeadButton says="Refresh" icon="redo" disabled={rules.loading} onClick={again} />
      </div>
      <ReadingView reading={rules} retry={again}>
        <Show when={rules.latest} fallback={<p class="muted">Loading …</p>}>
          {(list) => (
            <>
              <Show when={!list().enabled}>
                <p class="notice">
                  Guardrails are off (<code>guardrails.enabled</code>): no rule is checked.
                  Approvals, the merge guard, invariants and budgets still apply.
                </p>
              </Show>
              <section class="section" aria-labelledby="decisions">
                <div class="section-head">
                  <h2 id="decisions">
                    Latest decisions
                    <Show when={props.rule}>
                      {(rule) => (
                        <>
                          {' '}
                          of <bdi>{rule()}</bdi>
                        </>
                      )}
                    </Show>
                  </h2>
                  <Show when={decisions.latest}>
                    {(page) => <small>{formatShortCount(page().total)}</small>}
                  </Show>
                  <Show when={props.rule}>
                    <a href="#/guardrails">Of all rules</a>
                  </Show>
                </div>
                <ReadingView reading={decisions} retry={again}>
                  <ul class="plain guardrail-rows reread" aria-busy={decisions.isOld}>
                    <For
                      each={decisions.latest?.decisions ?? []}
                      fallback={
                        <li class="muted">
                          {decisions.loading ? 'Loading …' : 'No decisions yet.'}
                        </li>
                      }
                    >
                      {(decision) => <DecisionRow decision={decision} />}
                    </For>
                  </ul>
                  <Show when={limit() < MAX_DECISIONS && (decisions.latest?.total ?? 0) > limit()}>
                    <button type="button" onClick={() => setLimit(MAX_DECISIONS)}>
                      Show more
                    </button>
                  </Show>
                </ReadingView>
              </section>
              <section class="section" aria-labelledby="rules">
                <div class="section-head">
                  <h2 id="rules">Rules</h2>
                  <small>{formatShortCount(list().rules.length)}</small>
                </div>
                <p class="muted">
                  <a href={toRouteHash(['settings', 'guardrails'])}>
                    Change the rules in the settings
                  </a>
                  . To test one on past jobs, run <code>svc guardrail test</code>.
                </p>
                <For each={list().ignored}>
                  {(what) => <p class="problem-line">No rule: {revealTurningCharacters(what)}.</p>}
                </For>
                <ul class="plain guardrail-rows">
                  <For each={list().rules}>
                    {(rule) => <RuleRow rule={rule} isOn={list().enabled} />}
                  </For>
                </ul>
              </section>
            </>
          )}
        </Show>
      </ReadingView>
    </div>
  );
}
