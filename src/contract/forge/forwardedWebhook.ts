import type { Delivery } from './hook.ts';

/** A delivery that the control plane has verified and forwards. */
export interface ForwardedWebhook extends Delivery {
  pluginId: string;
  /** When the control plane received it, epoch ms. */
  receivedAt: number;
  /** The rule that may create its job now, where another runner has not; null = the delivery itself. */
  rule: string | null;
}

/** What a runner has done with it. */
export interface ForwardedOutcome {
  /** taken: committed, also as a copy. refused: it does not help to send it again. later: it does. */
  outcome: 'taken' | 'refused' | 'later';
  /** The job that a rule has created for it. */
  jobId?: string;
  /** Why it is refused or wanted later, or why a rule has created no job. */
  reason?: string;
}

/** What a runner does with the webhooks of its team. */
export interface ForwardedWebhooks {
  /** Takes a delivery. Never rejects. */
  take(delivery: ForwardedWebhook): Promise<ForwardedOutcome>;
  /** Takes note of the plugins whose webhooks the team takes. */
  takeSenders(plugins: readonly string[]): void;
}

/** A rule that would create the job of a delivery. */
export interface TriggerClaim {
  rule: string;
  pluginId: string;
  /** Of the delivery's bytes. */
  hash: string;
  /** What the job is about, where the rule makes one job at a time about it; null = it makes one for each delivery. */
  subject: string | null;
}

/**
 * Whether this runner's rule may create the job: null = it may, else why not. Throws SvcError `cloud-unreachable` where
 * the team's control plane cannot be asked.
 */
export type AskClaim = (claim: TriggerClaim) => Promise<string | null>;
