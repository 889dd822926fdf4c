import type { StopReason } from '../../base/jobs/stopReasons.ts';
import type { Tables } from '../../contract/records/tables.ts';
import { buildCallSpans, findModelProvider, sumCalls, toConversationId } from './buildCallSpans.ts';
import { buildToolSpans, type SessionFacts } from './buildToolSpans.ts';
import {
  PLAIN_SPAN,
  pickKnownAttributes,
  toSessionKey,
  toVisitKey,
  type TraceSpan,
} from './traceSpan.ts';

interface AgentSessionFacts extends SessionFacts {
  jobId: string;
  /** Path of the agent in the overlay; null = not known. */
  agent: string | null;
  /** The rows of its calls, in order. */
  calls: readonly Tables['usage_calls'][];
  /** When starts have continued the job, epoch ms. */
  restarts: readonly number[];
}

const FAILED_STOPS: ReadonlySet<unknown> = new Set<StopReason>(['error', 'limit', 'died', 'stuck']);

/** A session of an agent with all that happened in it: calls of its model, tools, writes to forges. */
export function buildSessionSpans(facts: AgentSessionFacts): TraceSpan[] {
  const { jobId, agent, session, journal, calls } = facts;
  const { visit, session: number, from, to, phase } = session;
  const toolSpans = buildToolSpans(facts);
  const restarts = facts.restarts.filter((at) => at >= from && at <= to);
  const marks = [from, ...restarts, ...toolSpans.map((span) => span.to)];
  const stopReason = journal.find(
    ({ event }) =>
      event.type === 'session.ended' && event['visit'] === visit && event['session'] === number,
  )?.event['stopReason'];
  const newest = calls.at(-1);
  const name = agent ?? phase;
  return [
    {
      ...PLAIN_SPAN,
      key: toSessionKey(visit, number),
      parent: toVisitKey(visit),
      name: `invoke_agent ${name}`,
      kind: 'client',
      from,
      to,
      attributes: {
        ...pickKnownAttributes({
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.provider.name': findModelProvider(
            newest?.model ?? null,
            newest?.provider ?? null,
          ),
          'gen_ai.agent.name': name,
          'gen_ai.request.model': newest?.model,
          'gen_ai.conversation.id': toConversationId(jobId, visit, number),
          'svc.executor': newest?.provider,
          'svc.phase': phase,
          'svc.session.stop_reason': typeof stopReason === 'string' ? stopReason : null,
        }),
        ...sumCalls(calls),
      },
      error: FAILED_STOPS.has(stopReason) ? String(stopReason) : null,
      events: restarts.map((at) => ({ name: 'svc.runner.restarted', at })),
    },
    ...buildCallSpans(jobId, calls, marks),
    ...toolSpans,
  ];
}
