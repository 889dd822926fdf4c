import { isDeepStrictEqual } from 'node:util';
import { parseFrontMatter } from '../../authoring/workflows/frontMatter.ts';
import { isWorkflowPath } from '../../authoring/overlay/layerFiles.ts';
import { shorten } from '../../domain/clip.ts';
import type { Fields } from '../../lib/untrusted.ts';
import type { MeaningChange } from '../../schema/proposal.ts';
import type { ChangedText } from './changedText.ts';
import { bodyOf, frontMatterOf } from './frontMatterOf.ts';
import { workflowChanges } from './workflowMeaning.ts';

/** Most changes that are named of one file. */
const MAX_CHANGES = 60;
/** Longest sentence about one of them, characters. */
const MAX_CHARS = 400;

const said = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** Changes of front matter that has no meaning of its own here: each key as it is written. */
function keyChanges(before: Fields, after: Fields): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${key}: ${said(before[key])} → ${said(after[key])}`);
}

const lines = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;

/** How much of the text for agents changes. */
function textChange(path: string, before: string, after: string): string[] {
  if (before === after) return [];
  const [from, to] = [before.split('\n'), after.split('\n')];
  const [had, has] = [new Set(from), new Set(to)];
  const added = to.filter((line) => line.trim() !== '' && !had.has(line)).length;
  const removed = from.filter((line) => line.trim() !== '' && !has.has(line)).length;
  const what = isWorkflowPath(path)
    ? 'the text for every phase'
    : path.startsWith('memory/') || path === '.claude/CLAUDE.md'
      ? 'the memory of every job'
      : 'the instructions';
  return [`${what}: ${lines(added)} more, ${lines(removed)} less`];
}

/** What a change of one file means for jobs, in words; the most important first. */
export function meaningOf({ path, before, after }: ChangedText): MeaningChange[] {
  const [from, to] = [frontMatterOf(before, path), frontMatterOf(after, path)];
  const whole =
    after === null ? ['the file is removed'] : before === null ? ['the file is new'] : [];
  const changes = isWorkflowPath(path) ? workflowChanges(from, to) : keyChanges(from, to);
  const isBroken = after !== null && /^---/.test(after) && !parseFrontMatter(after, path).readable;
  const all = [
    ...whole,
    ...(isBroken ? ['its front matter cannot be read'] : []),
    ...(after === null || isBroken ? [] : changes),
    ...(after === null ? [] : textChange(path, bodyOf(before, path), bodyOf(after, path))),
  ];
  const more = all.length - MAX_CHANGES;
  return [...all.slice(0, MAX_CHANGES), ...(more > 0 ? [`and ${more} more changes`] : [])].map(
    (says) => ({ path, says: shorten(says, MAX_CHARS) }),
  );
}
