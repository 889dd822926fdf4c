import type { Notice } from './notifications.ts';

/**
 * Title of the page: starts with how many wait for the person, where a narrow tab shows it.
 */
export const formatPageTitle = (waiting: number, page: string): string =>
  `${waiting > 0 ? `(${waiting}) ` : ''}${page} · svc`;

/** One thing that waits for a person. */
export interface WaitingItem {
  /**
   * The same for as long as it is the same wait: a job that waits a second time has another one.
   */
  key: string;
  title: string;
  text: string;
  /** The page that shows it. */
  hash: string;
}

export const toNotice = ({ key, title, text, hash }: WaitingItem): Notice => ({
  key,
  title,
  text,
  hash,
});

/**
 * What waits now and did not before; at the first look nothing is new, for the person has just
 * come.
 */
export const findNewlyWaiting = <News extends { key: string }>(
  before: ReadonlySet<string> | null,
  now: readonly News[],
): News[] => (before === null ? [] : now.filter(({ key }) => !before.has(key)));
