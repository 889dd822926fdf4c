import type { Issue } from '../../contract/forge/tracker.ts';

/** Without what follows the path. */
const stripAddressSuffix = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '');

/**
 * Whether an address is of a ticket of the same tracker as this one: its own page, or one that
 * begins as that does up to the ticket's key. Such a page is no repository, though a forge may be
 * served by the same host.
 */
export function isTicketAddress(
  { key, url }: Pick<Issue, 'key' | 'url'>,
  address: string,
): boolean {
  const [own, asked] = [stripAddressSuffix(url), stripAddressSuffix(address)];
  if (own === '') return false;
  if (asked === own) return true;
  const names = own.split('/');
  const at = names.indexOf(encodeURIComponent(key.toLowerCase()));
  // `https:`, nothing, host: a begin that is a whole site may hold repositories as well.
  const hasFolder = at > 3;
  return hasFolder && asked.startsWith(`${names.slice(0, at).join('/')}/`);
}
