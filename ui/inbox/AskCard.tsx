import { Match, Switch } from 'solid-js';
import { AskApproval } from './AskApproval.tsx';
import { AskBudget } from './AskBudget.tsx';
import { findNamedRule } from '../../src/base/agents/guardrails.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { AskFlagged } from './AskFlagged.tsx';
import { AskGuardrail } from './AskGuardrail.tsx';
import { AskHalted } from './AskHalted.tsx';
import { AskRepair } from './AskRepair.tsx';
import { AskInput } from './AskInput.tsx';
import { AskEndedJob } from './AskEndedJob.tsx';
import type { AskProps } from './askProps.ts';
import './ask.css';

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
          {(exceeded) => <AskBudget {...props} exceeded={exceeded()} />}
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
