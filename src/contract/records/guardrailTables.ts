import type { GuardrailAct, GuardrailMoment } from '../../base/agents/guardrails.ts';
import type { Caller } from '../schema/runner/caller.ts';

/** What rules about what agents do have decided; a part of `Tables`. */
export interface GuardrailTables {
  /**
   * One row for each thing that a rule did not let pass, however often it was asked about. What
   * passes is only counted.
   */
  guardrail_decisions: {
    /** Empty for a job that was refused before it existed. */
    job_id: string;
    rule: string;
    moment: GuardrailMoment;
    /** Hash of what it was asked about. */
    subject: string;
    result: GuardrailAct;
    tool: string;
    message: string;
    phase: string;
    /** Of the last time; 0 without a session. */
    visit: number;
    session: number;
    /** The last time. */
    at: number;
    times: number;
    /** How long the rule has taken the last time. */
    ms: number;
    /** sha256 of the script that decided; null = no script did. */
    script: string | null;
    /** When a person has allowed exactly this; null = no one has. */
    allowed_at: number | null;
    allowed_by: Caller | null;
  };
  /** One row for each call that an invariant has forbidden an agent, however often it tried. */
  forbidden_calls: {
    job_id: string;
    /** Id of the invariant. */
    rule: string;
    /** The call, such as `merge_pr`. */
    tool: string;
    /** What the agent was answered the last time: the rule, and what to do instead. */
    message: string;
    /** Of the last time. */
    phase: string;
    visit: number;
    at: number;
    times: number;
  };
  guardrail_passes: { rule: string; moment: GuardrailMoment; passes: number };
}
