/**
 * First versions, a series each, in which git runs no program that a repository names while it is
 * fetched from (CVE-2024-32004, -32465).
 */
const FIXED: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [2, 39, 4],
  [2, 40, 2],
  [2, 41, 1],
  [2, 42, 2],
  [2, 43, 4],
  [2, 44, 1],
  [2, 45, 1],
];

/** What to install, for messages. */
export const GIT_NEEDED = 'git 2.39.4, 2.40.2, 2.41.1, 2.42.2, 2.43.4, 2.44.1, 2.45.1 or later';

/**
 * Whether this git may be used; `versionText`: the output of `git --version`. null = it names no version.
 */
export function isSafeGit(versionText: string): boolean | null {
  const [, ...numbers] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(versionText) ?? [];
  if (numbers[0] === undefined) return null;
  const [major, minor, patch] = [Number(numbers[0]), Number(numbers[1]), Number(numbers[2] ?? 0)];
  const series = FIXED.find(([a, b]) => a === major && b === minor);
  if (series) return patch >= series[2];
  return major > 2 || (major === 2 && minor > 45);
}
