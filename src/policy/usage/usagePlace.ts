import type { Tables } from '../../contract/records/tables.ts';

/** The session of a call, and the sums it counts toward. */
export type UsagePlace = Pick<
  Tables['usage_calls'],
  'subject' | 'root' | 'visit' | 'session' | 'phase' | 'workflow' | 'repository'
> & {
  /** Such as `acp:gemini`. */
  provider: string;
};

export const toChatSubject = (id: string): string => `chat:${id}`;
