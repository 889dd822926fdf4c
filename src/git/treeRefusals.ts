import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { SvcError } from '../base/errors/errors.ts';
import { showRawPath } from './rawPaths.ts';

const MAX_NAMED_FILES = 20;

const createTreeRefusal = (
  paths: readonly string[],
  explain: (names: string) => string,
  data: Record<string, unknown> = {},
): SvcError => {
  const files = paths.map(showRawPath);
  const names = files.slice(0, MAX_NAMED_FILES).join(', ');
  const more = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : '';
  return new SvcError('conflict', explain(names + more), { data: { files, ...data } });
};

export const refuseFilesInTheWay = (
  dir: string,
  branch: string,
  paths: readonly string[],
): SvcError =>
  createTreeRefusal(
    paths,
    (names) =>
      `${branch} is checked out in ${dir}, and these files there are in the way: ${names}. Commit, stash or move them, then merge again.`,
  );

export function refuseFilteredFiles(
  dir: string,
  branch: string,
  head: string,
  files: ReadonlyMap<string, string>,
): SvcError {
  const names = [...new Set(files.values())].sort().join(', ');
  const command = `git -C ${quotePosixWord(dir)} merge --no-ff ${quotePosixWord(head)}`;
  return createTreeRefusal(
    [...files.keys()],
    (fileNames) =>
      `${branch} is checked out in ${dir}, and the merge changes files there that a filter of your git writes (${names}): ${fileNames}. svc runs no filters. Merge with your own git, which svc notices: ${command}. Or check out another branch there, then merge again.`,
    { command },
  );
}

/** Files that may have changed, which only a filter could tell. */
export const refuseUncomparableFiles = (
  dir: string,
  branch: string,
  paths: readonly string[],
): SvcError =>
  createTreeRefusal(
    paths,
    (names) =>
      `${branch} is checked out in ${dir}, and only a filter of your git can tell whether these files there are changed: ${names}. svc runs no filters. Run \`git -C ${quotePosixWord(dir)} status\`, commit or stash what it shows, then merge again.`,
  );

/** Files with changes that git is set to ignore (`--assume-unchanged`, `--skip-worktree`). */
export const refuseHiddenChanges = (
  dir: string,
  branch: string,
  paths: readonly string[],
): SvcError =>
  createTreeRefusal(
    paths,
    (names) =>
      `${branch} is checked out in ${dir}, and these files there are changed, although their index entries hide it (assume-unchanged or skip-worktree): ${names}. Save your changes, run \`git -C ${quotePosixWord(dir)} update-index --no-assume-unchanged --no-skip-worktree -- <file>\` for each, then merge again.`,
  );
