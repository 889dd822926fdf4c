import type { ChatStore } from './chatStore.ts';
import { readPins, type InvestigationRow } from './investigationRows.ts';
import type { PinScope } from './intakeParts.ts';
import type { Pin } from './tools/pins.ts';

/** What precedes the slug in a forge's URL, with or without scheme. */
const ADDRESS =
  '(?:(?:https?|ssh)://(?:[^\\s/@]+@)?[\\w.-]+(?::\\d+)?/|git@[\\w.-]+:|(?:github|gitlab|bitbucket)\\.(?:com|org)/)';
/** Start of a slug that stands alone, not within a longer path or name. */
const ALONE = '(?<![\\w.~/@+-])';
const END = '(?:\\.git)?(?![\\w~+-]|\\.\\w|\\/)';
/** In a URL, a path such as that of a pull request may follow. */
const END_OF_ADDRESS = '(?:\\.git)?(?![\\w~+-]|\\.\\w)';

const escapeSlugPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Whether a text names a repository, as a separate word or by its URL. A path that contains the
 * slug does not count: `src/cart.ts` does not name a repository `src/cart`, which could be
 * anybody's.
 */
export function mentionsRepository(text: string, slug: string): boolean {
  const name = escapeSlugPattern(slug);
  return new RegExp(`${ALONE}${name}${END}|${ADDRESS}${name}${END_OF_ADDRESS}`, 'i').test(text);
}

/** The commits of a conversation; new ones are stored. `listSaid`: the developer's messages. */
export function createPinScope(
  store: ChatStore,
  row: InvestigationRow,
  listSaid: () => readonly string[],
): PinScope {
  const pins = readPins(row);
  const addedPins: Pin[] = [];
  let text: string | null = null;
  return {
    sessionId: row.id,
    pins,
    isNamed(slug) {
      text ??= listSaid().join('\n');
      return mentionsRepository(text, slug);
    },
    onPinned(pin) {
      pins.push(pin);
      addedPins.push(pin);
      // A person may have pinned the newest commits since the turn began.
      const storedPins = readPins(store.row(row.id));
      const isStored = ({ slug }: Pin) => storedPins.some((one) => one.slug === slug);
      const all = [...storedPins, ...addedPins.filter((one) => !isStored(one))];
      const set = { pins: JSON.stringify(all), repo: all[0]?.slug ?? pin.slug };
      return store.write([store.patch(row.id, set)]);
    },
  };
}
