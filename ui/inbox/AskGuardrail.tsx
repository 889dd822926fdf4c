import { Show } from 'solid-js';
import { isSizeRule } from '../../src/base/agents/guardrails.ts';
import type { GuardrailDecision } from '../../src/contract/schema/policy/guardrailView.ts';
import { createReading } from '../shell/signals/createReading.ts';
import { formatGuardrailMessage, describeWantedTool } from '../guardrails/guardrailText.ts';
import { formatDateTime, formatTimeWithDay } from '../jobs/jobText.ts';
import { toPlainReason } from '../jobs/plainText.ts';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { IfOffered } from '../shell/controls/IfOffered.tsx';
import { useDashboard } from '../shell/dashboard.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { nowForAges } from '../shell/signals/nowForAges.ts';
import { ReplyForm } from '../shell/controls/ReplyForm.tsx';
import { toRouteHash } from '../shell/navigation/router.ts';
import { revealTurningCharacters } from '../shell/markdown/revealTurningCharacters.ts';
import type { AskProps } from './askProps.ts';
import { OpenChanges } from './OpenChanges.tsx';

/** A job that a rule made wait: which, what was wanted, and the answers to it. */
export function AskGuardrail(props: AskProps & { rule: string }) {
  let reply: HTMLDivElement | undefined;
  const { client } = useDashboard();
  const [reading] = createReading(
    () => `${props.job.id} ${props.job.updatedAt}`,
    async () => {
      const query = { job: props.job.id, rule: props.rule, result: 'park' } as const;
      const { decisions } = await client.guardrailDecisions(query);
      const one = decisions.filter(({ anySize }) => !anySize);
      return {
        decision: one.find(({ allowed }) => allowed === null) ?? null,
        before: one.find(({ allowed }) => allowed !== null) ?? null,
      };
    },
  );
  const decision = () => (reading.error ? null : (reading.latest?.decision ?? null));
  const allow = (id: string, anySize: boolean) =>
    props.command('Allowed; the job continues.', (sending) =>
      sending.allowGuardrail(props.job.id, {
        rule: props.rule,
        decision: id,
        ...(anySize ? { anySize } : {}),
      }),
    );
  usePageKeys(() => [
    {
      keys: ['r'],
      says: 'Reply',
      does: { do: () => reply?.querySelector('textarea')?.focus() },
    },
  ]);
  return (
    <>
      <h2 class="question">
        The guardrail <bdi>{props.rule}</bdi> stopped the job
      </h2>
      <Show
        when={decision()}
        fallback={
          <p class="said" dir="auto">
            {toPlainReason(props.job.parked?.reason ?? '')}
          </p>
        }
      >
        {(passRequest) => (
          <>
            <Show
              when={reading.latest?.before}
              fallback={
                <p class="said" dir="auto">
                  {revealTurningCharacters(formatGuardrailMessage(passRequest()))}
                </p>
              }
            >
              {(before) => <AllowedBefore before={before()} now={passRequest()} />}
            </Show>
            <p>
              Stopped: <bdi>{revealTurningCharacters(describeWantedTool(passRequest()))}</bdi>.{' '}
              <a href={toRouteHash(['guardrails'], { rule: props.rule })}>Open the rule</a>
            </p>
          </>
        )}
      </Show>
      <div class="decision-bar">
        <CommandRow>
          <Show when={decision()}>
            {(passRequest) => (
              <IfOffered to="allowGuardrail">
                <button
                  type="button"
                  class="primary"
                  onClick={() => void allow(passRequest().id, false)}
                >
                  <Icon name="check" /> Allow exactly this change
                </button>
                <Show when={isSizeRule(props.rule)}>
                  <button type="button" onClick={() => void allow(passRequest().id, true)}>
                    Allow any size in this job
                  </button>
                </Show>
              </IfOffered>
            )}
          </Show>
          <button
            type="button"
            onClick={() =>
              void props.command('Resumed.', (sending) =>
                sending.resume(props.job.id, { eventKey: 'manual-resume' }),
              )
            }
          >
            <Icon name="play" /> Continue without it
          </button>
        </CommandRow>
      </div>
      <div ref={reply}>
        <ReplyForm
          label="What should it do instead?"
          says="Send and continue"
          rows={2}
          draft={{ job: props.job.id, field: 'answer' }}
          send={(text) =>
            props.command('Message sent; the phase runs again.', (sending) =>
              sending.message(props.job.id, { message: text }),
            )
          }
        />
      </div>
      <OpenChanges job={props.job} />
    </>
  );
}

/** An allowance that did not apply, because the agent's repeated change was a different one. */
function AllowedBefore(props: { before: GuardrailDecision; now: GuardrailDecision }) {
  const at = () => props.before.allowed?.at ?? props.before.at;
  return (
    <div class="notice stack">
      <p>
        <strong>A person has allowed another change before</strong>, at{' '}
        <span title={formatDateTime(at())}>{formatTimeWithDay(at(), nowForAges())}</span>. What the
        agent wants now differs from it, so it is asked about again.
      </p>
      <dl class="facts">
        <dt>Allowed</dt>
        <dd dir="auto">{revealTurningCharacters(formatGuardrailMessage(props.before))}</dd>
        <dt>Now</dt>
        <dd dir="auto">{revealTurningCharacters(formatGuardrailMessage(props.now))}</dd>
      </dl>
    </div>
  );
}
