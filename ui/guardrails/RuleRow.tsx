import { For, Show } from 'solid-js';
import type { GuardrailList } from '../../src/contract/schema/policy/guardrailView.ts';
import { formatAge, formatShortCount, formatDateTime } from '../jobs/jobText.ts';
import { toPlainSentence } from '../jobs/plainText.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import { ACTS, describeGuardrailRule } from './guardrailText.ts';

/** Every second part is a name between backticks; a text with one that is open stays as it is. */
const splitAtBackticks = (text: string): readonly string[] => {
  const parts = text.split('`');
  return parts.length % 2 === 1 ? parts : [text];
};

export function RuleRow(props: { rule: GuardrailList['rules'][number]; isOn: boolean }) {
  const isOn = () => props.isOn && props.rule.enabled;
  const figures = () => {
    const { pass, deny, park, redact, note } = props.rule.counts;
    return [
      ['passed', pass],
      ['refused', deny],
      ['asked a person', park],
      ['taken out', redact],
      ['noted', note],
    ] as const;
  };
  const listHappened = () => figures().filter(([, times]) => times > 0);
  return (
    <li class="guardrail-row">
      <p class="guardrail-head">
        <strong>
          <bdi>{props.rule.id}</bdi>
        </strong>
        <Show when={isOn()} fallback={<span class="pill">off</span>}>
          <span class={`pill ${ACTS[props.rule.do].tone}`}>{ACTS[props.rule.do].says}</span>
        </Show>
        <small>{describeGuardrailRule(props.rule)}</small>
      </p>
      <p class="guardrail-said">
        <bdi>
          <For
            each={splitAtBackticks(toPlainSentence(revealTurningCharacters(props.rule.condition)))}
          >
            {(part, n) => (n() % 2 === 0 ? part : <code>{part}</code>)}
          </For>
        </bdi>
      </p>
      <Show when={props.rule.problem}>
        {(problem) => (
          <p class="problem-line">
            Denies everything: {toPlainSentence(revealTurningCharacters(problem()))}
          </p>
        )}
      </Show>
      <p class="guardrail-counts muted">
        <For each={listHappened()} fallback={<span>No checks yet</span>}>
          {([says, times]) => (
            <span>
              {formatShortCount(times)} {says}
            </span>
          )}
        </For>
        <Show when={props.rule.last}>
          {(last) => (
            <a
              href={toRouteHash(['guardrails'], { rule: props.rule.id })}
              title={formatDateTime(last())}
            >
              last {formatAge(last(), nowForAges())}
              <span class="visually-hidden"> by {props.rule.id}</span>
            </a>
          )}
        </Show>
      </p>
    </li>
  );
}
