/** The address with `rel="next"` in a Link header (RFC 8288); null = none. */
export function readNextLink(headers: Headers): string | null {
  const link = headers.get('link') ?? '';
  for (const [, address, parameters = ''] of link.matchAll(/<([^<>]+)>((?:\s*;[^,<]*)*)/g)) {
    if (address !== undefined && /;\s*rel\s*=\s*"?next"?\s*(?:;|$)/i.test(parameters))
      return address;
  }
  return null;
}
