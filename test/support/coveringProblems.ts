import { isJsonObject } from '../../src/base/json/isJsonObject.ts';

/**
 * Where a later answer lacks something of an earlier one: each item of a list has one that covers it, each
 * member of an object has its own, and numbers do not fall. Empty = it lacks nothing.
 */
export function coveringProblems(before: unknown, after: unknown, at = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) return [`${at} is no list`];
    return before.flatMap((item, n) =>
      after.some((other) => coveringProblems(item, other).length === 0)
        ? []
        : [`${at}[${n}] is missing: ${JSON.stringify(item)?.slice(0, 300)}`],
    );
  }
  if (isJsonObject(before)) {
    if (!isJsonObject(after)) return [`${at} is no object`];
    // A mean may fall beside other rows.
    return Object.keys(before)
      .filter((name) => !/mean|^p\d\d$/i.test(name))
      .flatMap((name) => coveringProblems(before[name], after[name], `${at}.${name}`));
  }
  if (typeof before === 'number')
    return typeof after === 'number' && after >= before
      ? []
      : [`${at}: ${before}, then ${String(after)}`];
  if (typeof before === 'string' && before.includes('\n')) {
    const lines = new Set(String(after).split('\n'));
    return before
      .split('\n')
      .flatMap((line) => (lines.has(line) ? [] : [`${at} lacks the line ${line}`.slice(0, 300)]));
  }
  return before === after ? [] : [`${at}: ${String(before)}, then ${String(after)}`.slice(0, 300)];
}
