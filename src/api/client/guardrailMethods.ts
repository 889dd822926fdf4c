import type { DryRunBody, DryRunReply } from '../../contract/schema/policy/dryRun.ts';
import type {
  AllowBody,
  AllowReply,
  GuardrailDecision,
  GuardrailDecisionsQuery,
  GuardrailList,
} from '../../contract/schema/policy/guardrailView.ts';
import type { createTransport } from './transport.ts';

/** The rules about what agents do. */
export function createGuardrailMethods({
  json,
  open,
}: Pick<ReturnType<typeof createTransport>, 'json' | 'open'>) {
  return {
    guardrails: () => json<GuardrailList>('GET', '/guardrails'),
    /** One page, newest first, and the total number; default: the newest 50. */
    async guardrailDecisions(
      query: GuardrailDecisionsQuery = {},
    ): Promise<{ decisions: GuardrailDecision[]; total: number }> {
      const response = await open('GET', '/guardrails/decisions', { query });
      const decisions: GuardrailDecision[] = await response.json();
      return {
        decisions,
        total: Number(response.headers.get('X-Total-Count') ?? decisions.length),
      };
    },
    allowGuardrail: (jobId: string, body: AllowBody) =>
      json<AllowReply>('POST', `/jobs/${encodeURIComponent(jobId)}/guardrails/allow`, { body }),
    dryRunGuardrail: (body: DryRunBody, signal?: AbortSignal) =>
      json<DryRunReply>('POST', '/guardrails/dry-run', { body, ...(signal ? { signal } : {}) }),
  };
}
