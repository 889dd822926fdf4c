import { Match, Switch, Show } from 'solid-js';
import { AskApproval } from './AskApproval.tsx';
import { AskBudget } from './AskBudget.tsx';
import { findNamedRule } from '../../src/base/agents/guardrails.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { AskFlagged } from './AskFlagged.tsx';
import { AskGuardrail } from './AskGuardrail.tsx';
import { AskHalted } from './AskHalted.tsx';
import { AskInput } from './AskInput.tsx';
import { AskEndedJob } from './AskEndedJob.tsx';
import type { AskProps } from './askProps.ts';
import './ask.css';
import { Failure } from '../jobs/Failure.tsx';
import { CommandRow } from '../shell/controls/CommandRow.tsx';
import { focusIn } from '../shell/controls/focusIn.ts';
import { Icon } from '../shell/controls/Icon.tsx';
import { usePageKeys } from '../shell/keys/pageKeys.ts';
import { toJobHash } from '../shell/navigation/router.ts';

/** Something that a person has to repair first; the job then continues by itself, or at once. */
function AskRepair(props: AskProps) {
  let again: HTMLDivElement | undefined;
  usePageKeys(() => [
    { keys: ['r'], says: 'Go to the retry action', does: { do: () => focusIn(again) } },
  ]);
  return (
    <>
      <h2 class="question">Something needs a fix first</h2>
      <Failure
        jobId={props.job.id}
        reason={props.job.parked?.reason ?? ''}
        output={props.job.lastOutput}
      />
      <div class="decision-bar" ref={again}>
        <CommandRow>
          <Show when={props.can('job.resume')}>
            <button
              type="button"
              class="primary"
              onClick={() =>
                void props.command('Trying again.', (client) =>
                  client.resume(props.job.id, { eventKey: 'manual-resume' }),
                )
              }
            >
              <Icon name="play" /> Try again
            </button>
          </Show>
        </CommandRow>
        <Show when={props.job.parked?.kind === 'subRuns'}>
          <a class="button" href={toJobHash(props.job.id, 'campaign')}>
            <Icon name="graph" /> Open the campaign
          </a>
        </Show>
      </div>
    </>
  );
}

/** The rule that made it wait for a developer; null = it is another reason. */
const findParkingRule = ({ parked }: Job): string | null =>
  parked?.kind === 'developer' ? findNamedRule(parked.reason) : null;

/** A job's question, its documents and its answers; the answers are always in view. */
export function AskCard(props: AskProps) {
  return (
    <div class="ask stack">
      <Switch>
        <Match when={props.job.approval}>
          {(approval) => <AskApproval {...props} approval={approval()} />}
        </Match>
        <Match when={props.job.parked?.kind === 'halted'}>
          <AskHalted {...props} />
        </Match>
        <Match when={props.job.parked?.exceeded}>
          {(overrun) => <AskBudget {...props} exceeded={overrun()} />}
        </Match>
        <Match when={props.job.parked?.kind === 'external'}>
          <AskInput {...props} outside />
        </Match>
        <Match when={findParkingRule(props.job)}>
          {(rule) => <AskGuardrail {...props} rule={rule()} />}
        </Match>
        <Match when={props.job.parked?.kind === 'event'}>
          <AskInput {...props} outside={false} />
        </Match>
        <Match when={props.job.parked?.kind === 'developer'}>
          <AskInput {...props} outside={false} />
        </Match>
        <Match when={props.job.parked?.kind === 'flagged'}>
          <AskFlagged {...props} />
        </Match>
        <Match when={props.job.parked?.needsPerson}>
          <AskRepair {...props} />
        </Match>
        <Match when={props.job.ended}>
          <AskEndedJob {...props} />
        </Match>
      </Switch>
    </div>
  );
}
