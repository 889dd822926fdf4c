export interface Hindrance {
  why: string;
  /** A person has to act before anything can come. */
  asks: boolean;
  /** Part of the answer could not be read, and is read again with each poll. */
  isUnread: boolean;
}

const createHindrance = (why: string, asks: boolean): Hindrance => ({ why, asks, isUnread: false });

export const archivedHindrance = createHindrance(
  'its repository is archived, which makes it read-only: a person must unarchive it',
  true,
);
export const unavailableHindrance = createHindrance(
  'its repository is locked or disabled at the forge',
  true,
);
export const lockedConversationHindrance = createHindrance(
  'its conversation is locked: only people with write access can comment',
  false,
);
export const createGoneBranchHindrance = (branch: string): Hindrance =>
  createHindrance(`its branch ${branch} no longer exists: it was deleted or renamed`, true);
