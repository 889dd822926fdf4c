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
