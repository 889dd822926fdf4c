import type { RowReader } from '../../contract/records/rowReader.ts';
import type { WhyReply } from '../../contract/schema/api/replies.ts';

export const SHOWN_REFUSED_CALLS = 5;

type RefusedCalls = NonNullable<WhyReply['refused']>;

/** Calls of a job's agents that invariants and guardrails refused, newest first. */
export function listRefusedCalls(rows: RowReader, jobId: string): RefusedCalls {
  const newest = { order: 'at', desc: true, limit: SHOWN_REFUSED_CALLS } as const;
  const byInvariants = rows
    .all('forbidden_calls', { job_id: jobId }, newest)
    .map((row) => ({ by: 'invariant' as const, ...row }));
  const byGuardrails = (['deny', 'park'] as const)
    .flatMap((result) =>
      rows.all('guardrail_decisions', { job_id: jobId, result, allowed_at: null }, newest),
    )
    .map((row) => ({ by: 'guardrail' as const, ...row }));
  return [...byInvariants, ...byGuardrails]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, SHOWN_REFUSED_CALLS)
    .map(({ by, rule, tool, phase, at, times, message }) => ({
      by,
      rule,
      tool,
      phase,
      at,
      times,
      message,
    }));
}
