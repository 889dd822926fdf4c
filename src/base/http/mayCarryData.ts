import { stripFolderPath } from '../text/folderPaths.ts';

/** Longest query, or last part of a path, of an address that may carry no data, characters. */
export const MAX_LINK_TAIL_CHARS = 120;

/** A run of characters as base64 and hex make them, long enough to hold a secret. */
const ENCODED = /[A-Za-z0-9+/_-]{40,}={0,2}|(?:%[0-9A-Fa-f]{2}){12,}/;

/**
 * Whether an address in what a model says could carry data out when a person clicks it: it is then
 * shown as text. Invalid addresses and those that are not http cannot be clicked either.
 */
export function mayCarryData(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { protocol, username, password, pathname, search, hash } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return true;
  if (username !== '' || password !== '') return true;
  const last = stripFolderPath(pathname);
  const tails = [last, search, hash];
  return (
    tails.some((tail) => tail.length > MAX_LINK_TAIL_CHARS) ||
    ENCODED.test(decodeLinkPart(pathname.replaceAll('/', ' '))) ||
    ENCODED.test(decodeLinkPart(`${search} ${hash}`))
  );
}

const decodeLinkPart = (text: string): string => {
  try {
    return `${text} ${decodeURIComponent(text)}`;
  } catch {
    return text;
  }
};
