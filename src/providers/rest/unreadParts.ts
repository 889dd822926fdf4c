import { SvcError } from '../../base/errors/errors.ts';
import type { PrPart, UnreadPart } from '../../contract/schema/forge/prDetail.ts';
import { expectList } from './expectedValues.ts';
import { explainUnread, joinReasons, MAX_ITEM_WHY_CHARS } from './explainUnread.ts';
import type { Hindrance } from './hindrance.ts';
import { classifyFailure } from './classifyFailure.ts';

const MAX_LIST_WHY_CHARS = 300;

interface Reason {
  parts: readonly PrPart[];
  why: string;
  /** About one item; the rest of its list was read. */
  isItem: boolean;
}

const nameParts = (parts: readonly PrPart[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Whether a failure is only about this part, and not about the account or a silent server. */
export const isOfPart = (error: unknown): boolean =>
  classifyFailure(error) === 'one' ||
  (error instanceof SvcError && error.code === 'unreachable' && Number(error.data.status) >= 200);

/**
 * Reads a forge's answer about a pull request part by part, and each part item by item: only what
 * cannot be read is left out, with the reason.
 */
export class UnreadParts {
  readonly #reasons: Reason[] = [];

  /** Notes a part that could not be read completely. `error`: why. */
  note(parts: readonly PrPart[], error: unknown): void {
    const why = explainUnread(error, MAX_LIST_WHY_CHARS);
    this.#reasons.push({ parts, why, isItem: false });
  }

  /** Notes one left-out item of a part. `why`: a clause. */
  noteItem(parts: readonly PrPart[], why: string): void {
    this.#reasons.push({ parts, why, isItem: true });
  }

  /** The answer, or null where it cannot be read. Throws every other failure. */
  async ask<T>(parts: readonly PrPart[], answer: Promise<T>): Promise<T | null> {
    try {
      return await answer;
    } catch (error) {
      if (!isOfPart(error)) throw error;
      this.note(parts, error);
      return null;
    }
  }

  /** The items of a list; empty if it is not a list. `name`: such as "the list of comments". */
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
    const readable: Found[] = [];
    for (const one of items) {
      try {
        readable.push(...(await read(one)));
      } catch (error) {
        this.#leaveOut(parts, error);
      }
    }
    return readable;
  }

  /** Why a part is incomplete, as a clause; empty for a complete one. */
  why(part: PrPart): string {
    return this.#texts((reason) => reason.parts.includes(part)).join('; ');
  }

  /** The same for the poll, which reads everything again each time. */
  hindrances(): Hindrance[] {
    return this.#texts(() => true).map((why) => ({ why, asks: false, isUnread: true }));
  }

  /** The member `unread` for people and decisions; nothing where everything was read. */
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

  /**
   * Throws SvcError `unreachable` where a whole list is missing, instead of showing it as empty.
   */
  expectRead(part: PrPart, what: string): void {
    const missing = this.#reasons.find(({ parts, isItem }) => !isItem && parts.includes(part));
    if (missing)
      throw new SvcError(
        'unreachable',
        `${what} was read, but ${toText(missing)}. Try again later.`,
      );
  }

  #texts(isMeant: (one: Reason) => boolean): string[] {
    const matchingReasons = this.#reasons.filter(isMeant);
    const items = matchingReasons.filter(({ isItem }) => isItem);
    const whole = matchingReasons.filter(({ isItem }) => !isItem).map(toText);
    return [...whole, ...(items.length === 0 ? [] : [toItemsText(items)])];
  }

  /** A refusal is not about the item, and is thrown. */
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
