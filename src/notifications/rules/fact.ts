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
  /** In words; empty where the job says it, the name of a schedule that has paused, the id of an account. */
  text: string;
}

/** Reason of the fact that a schedule has paused itself, as the trigger of the store writes it. */
export const SCHEDULE_PAUSED = 'schedule-paused';

/** Name of the schedule that a fact is about; null = it is about none. */
export const readScheduleName = ({ reason, text }: Pick<Fact, 'reason' | 'text'>): string | null =>
  reason === SCHEDULE_PAUSED ? text : null;

/** What a rule may ask of the job or the schedule of a fact; null = the fact has neither. */
export interface FactSubject {
  repository: string | null;
  workflow: string;
  /** Who created it, where a name is known, and who is to review it. */
  people: readonly string[];
}
