import type { SeenToolCall } from './digestInput.ts';
import { toDigestLine, type Section, takeFirstLines, takeLastLines } from './sections.ts';

/** Longest target of a call that is shown, characters. */
const MAX_TARGET_CHARS = 80;
/** Share of the section for the first calls; the last ones get the rest. */
const FIRST_SHARE = 1 / 3;

const formatSeenCall = ({ name, target, ok }: SeenToolCall): string =>
  toDigestLine(
    `${name} ${ok ? 'ok' : 'failed'}${target === '' ? '' : `: ${target.slice(0, MAX_TARGET_CHARS)}`}`,
  );

/** Folds runs of the same call into one line with their number. */
export function foldRepeatedCalls(calls: readonly SeenToolCall[]): string[] {
  const runs: { line: string; times: number }[] = [];
  for (const call of calls) {
    const line = formatSeenCall(call);
    const last = runs.at(-1);
    if (last?.line === line) last.times += 1;
    else runs.push({ line, times: 1 });
  }
  return runs.map(({ line, times }) => (times === 1 ? line : `${line} x${times}`));
}

export function buildCallSection(calls: readonly SeenToolCall[], tokens: number): Section {
  const lines = foldRepeatedCalls(calls);
  const all = takeFirstLines(lines, tokens);
  if (!all.truncated) return all;
  const first = takeFirstLines(lines, Math.floor(tokens * FIRST_SHARE));
  const last = takeLastLines(
    lines.slice(first.lines.length),
    Math.floor(tokens * (1 - FIRST_SHARE)),
  );
  return { lines: [...first.lines, ...last.lines], truncated: true };
}

interface Failure {
  line: string;
  times: number;
  /** A later call of the same kind succeeded. */
  resolved: boolean;
}

export function collectFailures(calls: readonly SeenToolCall[]): Failure[] {
  const kinds = new Map<string, Failure>();
  for (const call of calls) {
    const key = toDigestLine(`${call.name}: ${call.target.slice(0, MAX_TARGET_CHARS)}`);
    const failure = kinds.get(key);
    if (call.ok) {
      if (failure) failure.resolved = true;
    } else if (failure) {
      failure.times += 1;
      failure.resolved = false;
    } else kinds.set(key, { line: key, times: 1, resolved: false });
  }
  return [...kinds.values()].toSorted((a, b) => b.times - a.times);
}

export const formatFailureLine = ({ line, times, resolved }: Failure): string =>
  `${line} (${times === 1 ? 'once' : `${times} times`}${resolved ? ', succeeded later' : ''})`;
