import { SvcError } from '../base/errors/errors.ts';
import type { GitRunner } from './loadObjects.ts';
import { splitFields } from './rawPaths.ts';

const MAX_REPORT_BYTES = 64 * 1024 * 1024;

export type Conflicts = Map<string, string>;

export interface TreeMerge {
  /** Id of git's merged tree; it holds conflict markers where there are conflicts. */
  tree: string;
  conflicts: Conflicts;
}

const WORDS: readonly (readonly [kind: RegExp, words: string])[] = [
  [/binary/, 'both sides changed it, and it is not text'],
  [/file\/directory/, 'one side has a file there, the other a folder'],
  [/modify\/delete/, 'one side deleted it, the other changed it'],
  [/rename\/delete/, 'one side renamed it, the other deleted it'],
  [/directory rename/, 'one side added it to a folder that the other renamed'],
  [/rename/, 'both sides renamed it, or to the same name'],
  [/distinct modes/, 'both sides added it, as different kinds of entries'],
  [/submodule/, 'both sides moved the submodule'],
];
const BOTH_CHANGED = 'both sides changed the same part';

const describeConflictKind = (text: string): string =>
  WORDS.find(([kind]) => kind.test(text))?.[1] ?? BOTH_CHANGED;

/** What git prints: the tree, the entries in conflict, an empty field, and its messages. */
function parseReport(output: string, isInvented: (path: string) => boolean): TreeMerge {
  const [tree = '', ...fields] = splitFields(output);
  const conflicts: Conflicts = new Map();
  const add = (path: string, words: string): void => {
    if (!isInvented(path) && !conflicts.has(path)) conflicts.set(path, words);
  };
  const end = fields.indexOf('');
  const messages = end === -1 ? [] : fields.slice(end + 1);
  for (let at = 0; at < messages.length; ) {
    const count = Number(messages[at]);
    const paths = messages.slice(at + 1, at + 1 + count);
    const [kind = '', message = ''] = messages.slice(at + 1 + count, at + 3 + count);
    if (kind.startsWith('CONFLICT'))
      for (const path of paths)
        add(path, describeConflictKind(`${kind} ${/^[^:]*\(submodule\)/.exec(message) ?? ''}`));
    at += count + 3;
  }
  for (const entry of end === -1 ? fields : fields.slice(0, end))
    add(entry.slice(entry.indexOf('\t') + 1), BOTH_CHANGED);
  return { tree, conflicts };
}

/**
 * Lets git merge commit `theirs` into commit `ours`, over all their common ancestors. Renames
 * count; no driver is run. No ref moves.
 */
export async function mergeTrees(git: GitRunner, ours: string, theirs: string): Promise<TreeMerge> {
  const { stdout, cut, exitCode } = await git(
    ['merge-tree', '--write-tree', '-z', '--messages', ours, theirs],
    { answers: [1], encoding: 'latin1', maxBytes: MAX_REPORT_BYTES, cutOutput: true },
  );
  if (cut)
    throw new SvcError(
      'too-large',
      'The branches have too many conflicts to list: merge with git.',
    );
  // Git moves a file out of the way of a folder, to a name with the commit in it.
  const movedPattern = new RegExp(`~(?:${ours}|${theirs})(?:_\\d+)?$`);
  const merge = parseReport(stdout, (path) => movedPattern.test(path));
  if (exitCode === 1 && merge.conflicts.size === 0)
    throw new SvcError('internal', 'git reports merge conflicts without naming a file.');
  return exitCode === 0 ? { ...merge, conflicts: new Map() } : merge;
}
