const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Query values that are settings: shorter ones, words, and numbers. */
const PLAIN_QUERY = /^(?:.{0,7}|[A-Za-z]+(?:[-_][A-Za-z]+)*|[\d.,-]+)$/s;

export const isUrlLike = (value: string): boolean => ADDRESS.test(value);

/** Decoded, and also as written if encoding the former does not give the latter. */
function listDecodedForms(text: string): string[] {
  try {
    const decoded = decodeURIComponent(text);
    return encodeURIComponent(decoded) === text ? [decoded] : [text, decoded];
  } catch {
    return [text];
  }
}

/**
 * Passwords of an address: what follows its user, or the user if it has no password and the scheme
 * is not ssh. Parsed by hand: URL rejects a database address with several hosts.
 */
export function findAddressPasswords(address: string): string[] {
  const userInfo = /^[a-z][a-z0-9+.-]*:\/\/([^/\s?#]*)@/i.exec(address)?.[1] ?? '';
  const colon = userInfo.indexOf(':');
  const password =
    colon === -1 && /^(?:git\+)?ssh:/i.test(address) ? '' : userInfo.slice(colon + 1);
  return password === '' ? [] : [...new Set(listDecodedForms(password))];
}

export const listQueryValues = (address: string): string[] => [
  ...new URLSearchParams(/\?([^#]*)/.exec(address)?.[1] ?? '').values(),
];

/** Secrets in an address: its passwords, and query values that are not plain settings. */
export const findAddressSecrets = (address: string): string[] => [
  ...new Set([
    ...findAddressPasswords(address),
    ...listQueryValues(address).filter((one) => !PLAIN_QUERY.test(one)),
  ]),
];
