/**
 * Where a login leads to: an address of this origin, as path and query. Anything else, such as
 * `//evil.example` or `/\evil.example`, becomes `otherwise`.
 */
export function toLocalPath(
  given: string | undefined,
  publicUrl: string,
  otherwise: string,
): string {
  if (given === undefined || !given.startsWith('/') || !URL.canParse(given, publicUrl))
    return otherwise;
  const url = new URL(given, publicUrl);
  // `/.//evil.example` has this origin, and as a Location of its own would not.
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return otherwise;
  return `${url.pathname}${url.search}${url.hash}`;
}
