/** What is before the slug in an address of a forge, with or without its scheme. */
const ADDRESS =
  '(?:(?:https?|ssh)://(?:[^\\s/@]+@)?[\\w.-]+(?::\\d+)?/|git@[\\w.-]+:|(?:github|gitlab|bitbucket)\\.(?:com|org)/)';
/** A slug that is a word of its own: no part of a longer path or name. */
const ALONE = '(?<![\\w.~/@+-])';
const END = '(?:\\.git)?(?![\\w~+-]|\\.\\w|\\/)';
/** In an address a path may follow, such as that of a pull request. */
const END_OF_ADDRESS = '(?:\\.git)?(?![\\w~+-]|\\.\\w)';

const escapeSlugPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Whether a text names a repository: as a word of its own, or in its address. A path that has the
 * slug in it does not: `src/cart.ts` names no repository `src/cart`, which could be anybody's.
 */
export function mentionsRepository(text: string, slug: string): boolean {
  const name = escapeSlugPattern(slug);
  return new RegExp(`${ALONE}${name}${END}|${ADDRESS}${name}${END_OF_ADDRESS}`, 'i').test(text);
}
