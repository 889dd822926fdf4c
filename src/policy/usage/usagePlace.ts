import type { Tables } from '../../contract/records/tables.ts';

/** Which session a call belongs to, and to which sums it counts. */
export type UsagePlace = Pick<
  Tables['usage_calls'],
  'subject' | 'root' | 'visit' | 'session' | 'phase' | 'workflow' | 'repository'
> & {
  /** Such as `acp:gemini`. */
  provider: string;
};

/** The subject of a plan-mode chat in the ledger. */
export const toChatSubject = (id: string): string => `chat:${id}`;
