import { SvcError } from '../../shared/errors/errors.ts';
import type { PrPart, UnreadPart } from '../../contract/schema/forge/prDetail.ts';
import { expectList } from './expectedValues.ts';
import { explainUnread, joinReasons, MAX_ITEM_WHY_CHARS } from './explainUnread.ts';
import type { Hindrance } from './hindrance.ts';
import { classifyFailure } from './classifyFailure.ts';

/** Longest reason why nothing of a list was read, characters. */
const MAX_LIST_WHY_CHARS = 300;

interface Reason {
  parts: readonly PrPart[];
  why: string;
  /** About one item; the others of its list were read. */
  isItem: boolean;
}

/** Parts in words: "comments, reviews and threads". */
const nameParts = (parts: readonly PrPart[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/**
 * Whether a failure is about what was asked for alone, and not about the account, or a server that
 * does not answer.
 */
export const isOfPart = (error: unknown): boolean =>
  classifyFailure(error) === 'one' ||
  (error instanceof SvcError && error.code === 'unreachable' && Number(error.data.status) >= 200);

/**
 * Reads what a forge answers about a pull request part by part, and each part item by item: what
 * cannot be read is left out, with the reason, and nothing else with it.
 */
export class UnreadParts {
  readonly #reasons: Reason[] = [];

  /** A part of which nothing, or not everything, could be read. `error`: why. */
  note(parts: readonly PrPart[], error: unknown): void {
    const why = explainUnread(error, MAX_LIST_WHY_CHARS);
    this.#reasons.push({ parts, why, isItem: false });
  }

  /** One item of a part that was left out. `why`: a clause. */
  noteItem(parts: readonly PrPart[], why: string): void {
    this.#reasons.push({ parts, why, isItem: true });
  }

  /** What an answer was, or null where it was none that can be read. Throws every other failure. */
  async ask<T>(parts: readonly PrPart[], answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      if (!isOfPart(error)) throw error;
      this.note(parts, error);
      return null;
    }
  }

  /** The items of a list; empty if it is not a list. `name`: "the list of comments". */
  list<T>(parts: readonly PrPart[], value: unknown, name: string): readonly T[] {
    try {
      return expectList(value as readonly T[], name);
    } catch (error) {
      this.note(parts, error);
      return [];
    }
  }

  read<Item, Found>(
    parts: readonly PrPart[],
    items: readonly Item[],
    read: (one: Item) => Found | readonly Found[],
  ): Found[] {
    return items.flatMap((one) => {
      try {
        return read(one);
      } catch (error) {
        return this.#leaveOut(parts, error);
      }
    });
  }

  /** The items that pass a check, as they are. */
  keep<Item>(
    parts: readonly PrPart[],
    items: readonly Item[],
    check: (one: Item) => unknown,
  ): Item[] {
    return this.read(parts, items, (one) => {
      check(one);
      return [one];
    });
  }

  async readInTurn<Item, Found>(
    parts: readonly PrPart[],
    items: readonly Item[],
    read: (one: Item) => Promise<readonly Found[]>,
  ): Promise<Found[]> {
    const found: Found[] = [];
    for (const one of items) {
      try {
        found.push(...(await read(one)));
      } catch (error) {
        this.#leaveOut(parts, error);
      }
    }
    return found;
  }

  /** Why a part is not whole, as a clause; empty for one that is. */
  why(part: PrPart): string {
    return this.#texts((reason) => reason.parts.includes(part)).join('; ');
  }

  /** What to do about it: everything is read again with each poll. */
  hindrances(): Hindrance[] {
    return this.#texts(() => true).map((why) => ({ why, asks: false, isUnread: true }));
  }

  /** For people and for what decides; nothing where everything was read. */
  toDetail(): { unread?: UnreadPart[] } {
    const whole = this.#reasons.filter(({ isItem }) => !isItem);
    const items = this.#reasons.filter(({ isItem }) => isItem);
    const unread = whole.map((one) => ({ parts: [...one.parts], why: toText(one) }));
    if (items.length > 0) {
      const parts = [...new Set(items.flatMap((one) => one.parts))];
      unread.push({ parts, why: toItemsText(items) });
    }
    return unread.length === 0 ? {} : { unread };
  }

  /** Throws SvcError `unreachable` where a list is missing as a whole, instead of showing it as empty. */
  expectRead(part: PrPart, what: string): void {
    const missing = this.#reasons.find(({ parts, isItem }) => !isItem && parts.includes(part));
    if (missing)
      throw new SvcError(
        'unreachable',
        `${what} was read, but ${toText(missing)}. Try again later.`,
      );
  }

  #texts(isMeant: (one: Reason) => boolean): string[] {
    const meant = this.#reasons.filter(isMeant);
    const items = meant.filter(({ isItem }) => isItem);
    const whole = meant.filter(({ isItem }) => !isItem).map(toText);
    return [...whole, ...(items.length === 0 ? [] : [toItemsText(items)])];
  }

  /** A refusal is not about the item: it is thrown. */
  #leaveOut(parts: readonly PrPart[], error: unknown): never[] {
    if (error instanceof SvcError) throw error;
    this.noteItem(parts, explainUnread(error, MAX_ITEM_WHY_CHARS));
    return [];
  }
}

const toText = ({ parts, why }: Reason): string => `its ${nameParts(parts)} cannot be read: ${why}`;

function toItemsText(items: readonly Reason[]): string {
  const reasons = joinReasons(items.map(({ why }) => why));
  const what =
    items.length === 1 ? 'one of its parts cannot' : `${items.length} of its parts cannot`;
  return `${what} be read and is left out: ${reasons}`;
}
