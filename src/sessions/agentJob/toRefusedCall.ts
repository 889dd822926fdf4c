import {
  findCallRefusal,
  type JobContext,
  type JobEvent,
  type ToolEvent,
  findToolProblems,
} from '../../../machines/index.ts';
import type { Refusal } from '../../kernel/questions.ts';
import type { ForbiddenCall } from './forbiddenCalls.ts';

export interface RefusedCall {
  /** The reason and what to do instead, in words that an agent can act on. */
  why: string;
  /** Set if an invariant of the job forbids it; else null. */
  forbidden: ForbiddenCall | null;
}

/** Why the chart refused a session's call, judged by the job's current state. */
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
  // A late or faulty call is refused for that reason instead.
  const isForbidden = rule !== undefined && why.includes(`invariant ${rule.id} `);
  return {
    why,
    forbidden: isForbidden ? { rule: rule.id, tool: nameCalledTool(call), why } : null,
  };
}

const nameCalledTool = (call: ToolEvent): string =>
  call.type === 'tool.forge_write' ? call.operation : call.type.slice('tool.'.length);
