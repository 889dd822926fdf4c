import { shorten } from '../../domain/clip.ts';
import { messageOf, SvcError } from '../../lib/errors.ts';
import { isUnexpectedValue } from './expectedValues.ts';

/** Most reasons that are named for what was left out. */
const MAX_NAMED = 3;
/** Longest of these reasons, characters. */
const MAX_WHY_CHARS = 150;

/** Why not everything can come from a pull request that was read. */
export interface Hindrance {
  /** A clause about the pull request. */
  why: string;
  /** Nothing comes without a person who looks at it. */
  asks: boolean;
  /** A part of the answer could not be read: it is read again with each poll. */
  isUnread: boolean;
}

const known = (why: string, asks: boolean): Hindrance => ({ why, asks, isUnread: false });

export const archived = known(
  'its repository is archived, which makes it read-only: a person must unarchive it',
  true,
);
export const unavailable = known('its repository is locked or disabled at the forge', true);
export const conversationLocked = known(
  'its conversation is locked: only people with write access can comment',
  false,
);
export const branchGone = (branch: string): Hindrance =>
  known(`its branch ${branch} no longer exists: it was deleted or renamed`, true);

/**
 * Reads the parts of an answer one by one: one that cannot be read is left out, with the reason, and
 * no other one with it.
 */
export class LeftOutItems {
  readonly #reasons: string[] = [];

  read<Item, Found>(
    items: readonly Item[],
    read: (one: Item) => Found | readonly Found[],
  ): Found[] {
    return items.flatMap((one) => {
      try {
        return read(one);
      } catch (error) {
        return this.#leaveOut(error);
      }
    });
  }

  async readInTurn<Item, Found>(
    items: readonly Item[],
    read: (one: Item) => Promise<readonly Found[]>,
  ): Promise<Found[]> {
    const found: Found[] = [];
    for (const one of items) {
      try {
        found.push(...(await read(one)));
      } catch (error) {
        this.#leaveOut(error);
      }
    }
    return found;
  }

  /** Of what was left out; empty for nothing. */
  hindrances(): Hindrance[] {
    const { length } = this.#reasons;
    if (length === 0) return [];
    const reasons = [...new Set(this.#reasons)].slice(0, MAX_NAMED).join('; ');
    const what = length === 1 ? 'one of its parts cannot' : `${length} of its parts cannot`;
    return [{ why: `${what} be read and is left out: ${reasons}`, asks: false, isUnread: true }];
  }

  /** A refusal is not about the item: it is thrown. */
  #leaveOut(error: unknown): never[] {
    if (error instanceof SvcError) throw error;
    const said = shorten(messageOf(error), MAX_WHY_CHARS);
    this.#reasons.push(isUnexpectedValue(error) ? said : `it is not as expected: ${said}`);
    return [];
  }
}
