import type { Caller } from '../schema/caller.ts';
import type {
  AllowBody,
  AllowReply,
  GuardrailDecision,
  GuardrailDecisionsQuery,
  GuardrailList,
} from '../schema/guardrailView.ts';

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
}
