import { Show } from 'solid-js';
import type { GuardrailDecision } from '../../src/contract/schema/policy/guardrailView.ts';
import { formatAge, formatShortCount, formatDateTime } from '../jobs/jobText.ts';
import { JobLink } from '../jobs/JobLink.tsx';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { RESULTS, formatGuardrailMessage, describeWantedTool } from './guardrailText.ts';

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
