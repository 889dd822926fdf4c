import {
  findCallRefusal,
  type JobContext,
  type JobEvent,
  type ToolEvent,
  findToolProblems,
} from '../../../machines/index.ts';
import type { Refusal } from '../../kernel/questions.ts';
import type { ForbiddenCall } from './forbiddenCalls.ts';

/** A call that the job's chart did not take. */
export interface RefusedCall {
  /** Why, and what to do instead, in words that an agent can act on. */
  why: string;
  /** The same where an invariant of the job forbids it; null = it was refused for something else. */
  forbidden: ForbiddenCall | null;
}

/** Why the chart refused a call of a session, checked by the job's present state. */
export function toRefusedCall(refusal: Refusal, context: JobContext, event: JobEvent): RefusedCall {
  if (!refusal.state.includes('working.inSession'))
    return {
      why: `The job is ${refusal.state.join(' and ')}: this phase is over. End your turn now.`,
      forbidden: null,
    };
  const call = event as ToolEvent;
  const problems = findToolProblems(context, call);
  const reasons =
    problems.length > 0
      ? problems
      : refusal.guards.map(({ says }) => `this is only possible if ${says}`);
  const why = reasons.join('; ');
  const { rule } = findCallRefusal(context, call) ?? {};
  // A late call, or one with a mistake of its own, is refused for that.
  const isForbidden = rule !== undefined && why.includes(`invariant ${rule.id} `);
  return {
    why,
    forbidden: isForbidden ? { rule: rule.id, tool: nameCalledTool(call), why } : null,
  };
}

/** The call as agents and rules name it. */
const nameCalledTool = (call: ToolEvent): string =>
  call.type === 'tool.forge_write' ? call.operation : call.type.slice('tool.'.length);
