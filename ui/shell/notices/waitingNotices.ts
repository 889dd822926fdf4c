import type { Notice } from './notifications.ts';

/** Title of the page: starts with the number of waiting items, which even a narrow tab shows. */
export const formatPageTitle = (waiting: number, page: string): string =>
  `${waiting > 0 ? `(${waiting}) ` : ''}${page} · svc`;

export interface WaitingItem {
  /** Stays the same during one wait: a job that waits a second time gets another one. */
  key: string;
  title: string;
  text: string;
  hash: string;
}

export const toNotice = ({ key, title, text, hash }: WaitingItem): Notice => ({
  key,
  title,
  text,
  hash,
});

/** What waits now and did not before; nothing at the first look. */
export const findNewlyWaiting = <News extends { key: string }>(
  before: ReadonlySet<string> | null,
  now: readonly News[],
): News[] => (before === null ? [] : now.filter(({ key }) => !before.has(key)));
