import type { Usage } from '../schema/session/usage.ts';

/** Tokens of a call of a model, or of several that cannot be distinguished. */
export interface UsageReport {
  type: 'usage';
  usage: Usage;
  /** What the endpoint says that it was; null or left out = the session's model. */
  model?: string | null;
  /** `estimated`: counted by the executor, because the endpoint has not. Default `reported`. */
  source?: 'reported' | 'estimated';
}

/** How the calls of a model are paid for. */
export interface Billing {
  /** Address of the endpoint; null = that of the vendor. */
  endpoint: string | null;
  /** Who sells it, as the table of prices names them; null = the vendor of the model. */
  vendor: string | null;
  /**
   * `key`: by the call. `subscription`: by a login of the program's own. `unknown`: the executor
   * cannot tell.
   */
  paidBy: 'key' | 'subscription' | 'unknown';
  /** The model where neither phase nor endpoint names one; null = it is not known. */
  model: string | null;
}
