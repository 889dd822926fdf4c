import {
  callRefused,
  type JobContext,
  type JobEvent,
  type ToolEvent,
  toolProblems,
} from '../../machines/index.ts';
import type { Refusal } from '../durable/questions.ts';

/** A call that the job's chart did not take. */
export interface RefusedCall {
  /** Why, and what to do instead, in words that an agent can act on. */
  why: string;
  /** An invariant of the job forbids it: people are to see what the agent was kept from. */
  isForbidden: boolean;
}

/** What came of a call of a session that the chart has refused, by the job as it is now. */
export function refusedCall(refusal: Refusal, context: JobContext, event: JobEvent): RefusedCall {
  if (!refusal.state.includes('working.inSession'))
    return {
      why: `The job is ${refusal.state.join(' and ')}: this phase is over. End your turn now.`,
      isForbidden: false,
    };
  const call = event as ToolEvent;
  const problems = toolProblems(context, call);
  const reasons =
    problems.length > 0
      ? problems
      : refusal.guards.map(({ says }) => `this is only possible if ${says}`);
  const why = reasons.join('; ');
  const { rule } = callRefused(context, call) ?? {};
  // A late call, or one with a mistake of its own, is refused for that.
  return { why, isForbidden: rule !== undefined && why.includes(`invariant ${rule.id} `) };
}
