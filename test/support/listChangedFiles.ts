import { spawnSync } from 'node:child_process';

/** Files that differ from a commit, uncommitted ones too; undefined = git lacks the commit. */
export function listChangedFiles(root: string, commit: string): string[] | undefined {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const known = git('rev-parse', '--quiet', '--verify', `${commit}^{commit}`);
  if (known.status !== 0) return undefined;
  const changed = git('diff', '--name-only', '--no-renames', '-z', known.stdout.trim(), '--');
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  if (changed.status !== 0 || added.status !== 0) return undefined;
  return [...new Set(`${changed.stdout}${added.stdout}`.split('\0').filter((name) => name !== ''))];
}
