import type { UsageReport } from '../../contract/session/usageReport.ts';
import type { Tables } from '../../contract/records/tables.ts';
import { toCallRow } from './toCallRow.ts';
import type { Ledger } from './ledger.ts';

interface DecisionCall {
  jobId: string;
  visit: number;
  phase: string;
  workflowPath: string;
  repository: string | null;
  /** Id of the decider. */
  provider: string;
  model: string;
  /** Address of the provider; null = its own. */
  endpoint: string | null;
  usage: { inputTokens: number; outputTokens: number; isEstimated?: true };
  /** Larger than all earlier numbers and than 1, so that no session of an agent begins with it. */
  seq: number;
  at: number;
}

const NO_SESSION = 0;

/** The ledger's row of a question to the decision layer; it counts toward the job's budgets. */
export function toDecisionCallRow(
  ledger: Pick<Ledger, 'price' | 'findRoot'>,
  call: DecisionCall,
): Tables['usage_calls'] {
  const { jobId, visit, phase, workflowPath, repository } = call;
  const { provider, model, endpoint, usage, seq, at } = call;
  const { inputTokens, outputTokens, isEstimated = false } = usage;
  const report: UsageReport = {
    type: 'usage',
    usage: { inputTokens, outputTokens, cachedInputTokens: 0 },
    source: isEstimated ? 'estimated' : 'reported',
  };
  const billing = { endpoint, vendor: null, paidBy: 'key', model } as const;
  const place = {
    subject: jobId,
    root: ledger.findRoot(jobId),
    session: NO_SESSION,
    visit,
    phase,
    repository,
    workflow: workflowPath,
    provider: `decision:${provider}`,
  };
  const price = ledger.price({ billing, model, usage: report.usage });
  return toCallRow(place, { seq, at, ms: 0 }, report, model, price);
}
