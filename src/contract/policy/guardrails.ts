import type { Caller } from '../schema/runner/caller.ts';
import type { DryRunBody, DryRunReply } from '../schema/policy/dryRun.ts';
import type {
  AllowBody,
  AllowReply,
  GuardrailDecision,
  GuardrailDecisionsQuery,
  GuardrailList,
} from '../schema/policy/guardrailView.ts';

/** The rules about what agents do, as people see them. */
export interface GuardrailAccess {
  /** Every rule as it is now, with what it has said. */
  guardrails(): Promise<GuardrailList>;
  /** A page of what did not pass, newest first, and how many there are in all. Throws `not-found` for an unknown job. */
  guardrailDecisions(query: GuardrailDecisionsQuery): {
    decisions: GuardrailDecision[];
    total: number;
  };
  /**
   * Lets exactly what made the job wait pass for it from now on; the job continues. Throws
   * `not-found` where the rule has decided nothing about the job, `not-possible-now` where it does
   * not wait for a person.
   */
  allowGuardrail(jobId: string, body: AllowBody, by: Caller): Promise<AllowReply>;
  /**
   * What a rule would do, or would have done; nothing is kept. Rejects with the signal's reason once
   * it is aborted. Throws `not-found`, and `invalid` for a candidate that is no rule.
   */
  dryRunGuardrail(body: DryRunBody, signal: AbortSignal): Promise<DryRunReply>;
}
