import type { NoteUnread } from '../../contract/forge/tracker.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { createUnreadError, type RestServer } from './refusal.ts';
import { expectList, expectText } from './expectedValues.ts';
import { explainUnread, joinReasons, MAX_ITEM_WHY_CHARS } from './explainUnread.ts';

/**
 * Reads a tracker's answer value by value, and its lists item by item: only what cannot be read is
 * left out, and noted. A refusal is not about a value, and is thrown.
 */
export class LenientReader {
  readonly #note: NoteUnread;

  constructor(note: NoteUnread = () => {}) {
    this.#note = note;
  }

  /** A reader for the values of one thing, which each note names. */
  about(what: string): LenientReader {
    return new LenientReader((note) => this.#note(`${what}: ${note}`));
  }

  /** `name`: such as "status"; `instead`: the value to use where it cannot be read. */
  readValue<T>(name: string, instead: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.noteError(`The ${name}`, error);
      return instead;
    }
  }

  /** A text; null or missing = empty. */
  readText(name: string, value: unknown): string {
    return this.readValue(name, '', () => expectText(value ?? '', 'it'));
  }

  /** Items of a list; null or missing = empty. `noun`: a word for one item. */
  readList<Item, Found>(
    noun: string,
    value: readonly Item[] | null | undefined,
    read: (one: Item) => Found | readonly Found[],
  ): Found[] {
    const items = this.readValue(`list of ${noun}s`, [], () => expectList(value ?? [], 'it'));
    return this.readItems(noun, items, read);
  }

  readItems<Item, Found>(
    noun: string,
    items: readonly Item[],
    read: (one: Item) => Found | readonly Found[],
  ): Found[] {
    const reasons: string[] = [];
    const readable = items.flatMap((one) => {
      try {
        return read(one);
      } catch (error) {
        if (error instanceof SvcError) throw error;
        reasons.push(explainUnread(error, MAX_ITEM_WHY_CHARS));
        return [];
      }
    });
    const [count, reason] = [reasons.length, joinReasons(reasons)];
    if (count === 1) this.#note(`One ${noun} cannot be read and was ignored: ${reason}.`);
    if (count > 1) this.#note(`${count} ${noun}s cannot be read and were ignored: ${reason}.`);
    return readable;
  }

  /** `what`: such as "The links". */
  noteError(what: string, error: unknown): void {
    this.#note(`${what} cannot be read: ${explainUnread(error, MAX_ITEM_WHY_CHARS)}.`);
  }
}

/** The list of an answer. Throws SvcError `unreachable` if it is not a list. */
export function expectAnsweredList<T>(
  server: Pick<RestServer, 'host'>,
  what: string,
  value: readonly T[] | undefined,
): readonly T[] {
  if (Array.isArray(value)) return value;
  throw createUnreadError(server, what, 'something other than a list');
}

/** Reads an answer. Throws SvcError `unreachable` where a value that it must have is wrong. */
export function readAnswer<T>(server: Pick<RestServer, 'host'>, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const why = explainUnread(error, MAX_ITEM_WHY_CHARS);
    throw createUnreadError(server, what, `something that cannot be read: ${why}`);
  }
}
