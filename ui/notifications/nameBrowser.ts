/** The first that fits names the browser: most of them claim to be others too. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\//, 'Chrome'],
  [/\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a browser is called in a list, such as `Chrome on Android`, by its user agent. */
export function nameBrowser(userAgent: string): string {
  const find = (names: typeof BROWSERS) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const system = find(SYSTEMS);
  return `${find(BROWSERS) ?? 'Browser'}${system === null ? '' : ` on ${system}`}`;
}
