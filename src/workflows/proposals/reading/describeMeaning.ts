import { formatCount } from '../../../base/text/formatCount.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseFrontMatter } from '../../definition/parseFrontMatter.ts';
import { isWorkflowPath } from '../../overlay/layerFiles.ts';
import { shorten } from '../../../base/text/clip.ts';
import { toFields, type Fields } from '../../../base/json/untrusted.ts';
import type { MeaningChange } from '../../../contract/schema/workflow/proposal.ts';
import { describeWorkflowChanges } from './describeWorkflowChanges.ts';

/** The front matter of a text as unchecked data; empty if none exists or it cannot be read. */
export const readFrontMatterFields = (text: string | null, path: string): Fields =>
  text === null ? {} : toFields(parseFrontMatter(text, path).data);

export const readTextBelowFrontMatter = (text: string | null, path: string): string =>
  text === null ? '' : parseFrontMatter(text, path).body;

/** A file of the overlay before and after a proposal. */
export interface ChangedText {
  /** Path in the overlay, such as workflows/job.md. */
  path: string;
  /** The current text; null = none. */
  before: string | null;
  /** The proposed text; null = the file is removed. */
  after: string | null;
}

const MAX_CHANGES = 60;
/** Longest sentence about a change, characters. */
const MAX_CHARS = 400;

const formatKeyValue = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

/** Changes of front matter that has no special meaning here, key by key. */
function describeKeyChanges(before: Fields, after: Fields): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${key}: ${formatKeyValue(before[key])} → ${formatKeyValue(after[key])}`);
}

function describeTextChange(path: string, before: string, after: string): string[] {
  if (before === after) return [];
  const [from, to] = [before.split('\n'), after.split('\n')];
  const [had, has] = [new Set(from), new Set(to)];
  const addedCount = to.filter((line) => line.trim() !== '' && !had.has(line)).length;
  const removedCount = from.filter((line) => line.trim() !== '' && !has.has(line)).length;
  const what = isWorkflowPath(path)
    ? 'the text for every phase'
    : path.startsWith('memory/') || path === '.claude/CLAUDE.md'
      ? 'the memory of every job'
      : 'the instructions';
  return [
    `${what}: ${formatCount(addedCount, 'line')} more, ${formatCount(removedCount, 'line')} less`,
  ];
}

/** What a change of one file means for jobs, in words; most important first. */
export function describeMeaning({ path, before, after }: ChangedText): MeaningChange[] {
  const [from, to] = [readFrontMatterFields(before, path), readFrontMatterFields(after, path)];
  const whole =
    after === null ? ['the file is removed'] : before === null ? ['the file is new'] : [];
  const changes = isWorkflowPath(path)
    ? describeWorkflowChanges(from, to)
    : describeKeyChanges(from, to);
  const isBroken = after !== null && /^---/.test(after) && !parseFrontMatter(after, path).readable;
  const all = [
    ...whole,
    ...(isBroken ? ['its front matter cannot be read'] : []),
    ...(after === null || isBroken ? [] : changes),
    ...(after === null
      ? []
      : describeTextChange(
          path,
          readTextBelowFrontMatter(before, path),
          readTextBelowFrontMatter(after, path),
        )),
  ];
  const more = all.length - MAX_CHANGES;
  return [...all.slice(0, MAX_CHANGES), ...(more > 0 ? [`and ${more} more changes`] : [])].map(
    (says) => ({ path, says: shorten(says, MAX_CHARS) }),
  );
}
