import { Show } from 'solid-js';
import type { GuardrailDecision } from '../../src/schema/guardrailView.ts';
import { age, count, dateTime } from '../jobs/jobText.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { nowForAges } from '../shell/now.ts';
import { shownText } from '../shell/shownText.ts';
import { RESULTS, saidBy, wantedText } from './guardrailText.ts';

/** Something that a rule did not let pass. */
export function DecisionRow(props: { decision: GuardrailDecision }) {
  return (
    <li class="guardrail-row">
      <p class="guardrail-head">
        <span class={`pill ${RESULTS[props.decision.result].tone}`}>
          {RESULTS[props.decision.result].says}
        </span>
        <strong>
          <bdi>{props.decision.rule}</bdi>
        </strong>
        <bdi>{shownText(wantedText(props.decision))}</bdi>
        <Show when={props.decision.times > 1}>
          <small>{count(props.decision.times)} times</small>
        </Show>
        <small title={dateTime(props.decision.at)}>{age(props.decision.at, nowForAges())}</small>
        <Show when={props.decision.allowed}>
          <span class="pill good">allowed</span>
        </Show>
      </p>
      <p class="guardrail-said">{shownText(saidBy(props.decision))}</p>
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
