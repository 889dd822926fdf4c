/**
 * Where a login leads to: an address of this origin, as path and query. Anything else, such as
 * `//evil.example` or `/\evil.example`, becomes `otherwise`.
 */
export function toLocalPath(
  target: string | undefined,
  publicUrl: string,
  otherwise: string,
): string {
  if (target === undefined || !target.startsWith('/') || !URL.canParse(target, publicUrl))
    return otherwise;
  const url = new URL(target, publicUrl);
  // `/.//evil.example` has this origin, and as a Location of its own would not.
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return otherwise;
  return `${url.pathname}${url.search}${url.hash}`;
}
