import type { NotificationKind } from '../../base/settings/notificationKinds.ts';

/** Something that people are to be notified of, as it is stored with a message. */
export interface Fact {
  id: string;
  kind: NotificationKind;
  /** More exactly, such as `approval` or `failed`. */
  reason: string;
  jobId: string | null;
  /** Since when it is true, epoch ms. */
  at: number;
  /** In words; empty where the job says it. */
  text: string;
}

/** What a rule may ask of the job of a fact; null = the fact has no job. */
export interface FactSubject {
  repository: string | null;
  workflow: string;
  /** Who created it, where a name is known, and who is to review it. */
  people: readonly string[];
}
