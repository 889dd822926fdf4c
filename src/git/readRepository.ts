import { SvcError } from '../lib/errors.ts';
import type { RepoRead, RepoReads } from '../schema/repoReads.ts';
import type { ForgeRepo } from '../contract/forge.ts';
import { runGit } from './git.ts';
import { resolveBranch } from './tree.ts';

/** Largest piece of a file that is answered at once: 256 KiB. */
export const MAX_READ_BYTES = 256 * 1024;
/** Most names of one list. */
export const MAX_LISTED = 2_000;
/** Most lines found by one search. */
export const MAX_FOUND = 200;
/** Longest line of a search result, characters. */
const MAX_LINE_CHARS = 400;

/**
 * A path that stays inside the repository and is nothing but a path to git. Empty = the root.
 * Throws SvcError `bad-argument`.
 */
export function checkPath(path: string): string {
  const clean = path.replace(/^\.?\/+|\/+$/g, '');
  if (clean.split('/').includes('..') || /[\0\r\n]/.test(clean) || clean.startsWith(':')) {
    throw new SvcError(
      'bad-argument',
      `path ${JSON.stringify(path.slice(0, 200))} is not allowed: give one from the root of the repository.`,
    );
  }
  return clean;
}

const git = ({ path }: ForgeRepo, args: readonly string[], answers: readonly number[] = []) =>
  runGit(['--literal-pathspecs', ...args], {
    cwd: path,
    cutOutput: true,
    maxBytes: MAX_READ_BYTES,
    answers,
  });

const operations: {
  [K in RepoRead]: (
    repo: ForgeRepo,
    commit: string,
    args: RepoReads[K],
  ) => Promise<Record<string, unknown>>;
} = {
  async read_file(repo, commit, { path }) {
    const file = checkPath(path);
    const { stdout, exitCode, cut } = await git(
      repo,
      ['cat-file', 'blob', `${commit}:${file}`],
      [128],
    );
    if (exitCode !== 0 || file === '')
      throw new SvcError(
        'not-found',
        `${repo.slug} has no file ${path} at ${commit.slice(0, 12)}.`,
      );
    if (stdout.includes('\0')) throw new SvcError('invalid', `${path} is not text.`);
    return { path: file, commit, text: stdout, cut };
  },

  async list_files(repo, commit, { path }) {
    const folder = checkPath(path);
    const { stdout, cut } = await git(repo, [
      'ls-tree',
      '-r',
      '-z',
      '--name-only',
      commit,
      '--',
      ...(folder === '' ? [] : [folder]),
    ]);
    const names = stdout.split('\0').slice(0, -1);
    return { commit, files: names.slice(0, MAX_LISTED), cut: cut || names.length > MAX_LISTED };
  },

  async search_code(repo, commit, { text, path }) {
    const folder = checkPath(path);
    const args = [
      'grep',
      '--no-color',
      '-n',
      '-I',
      '-F',
      '-z',
      '-e',
      text,
      commit,
      '--',
      ...(folder === '' ? [] : [folder]),
    ];
    const { stdout, cut } = await git(repo, args, [1]);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const found = lines.slice(0, MAX_FOUND).flatMap((line) => {
      const [file, number, content] = line.slice(commit.length + 1).split('\0');
      return file === undefined || content === undefined
        ? []
        : [{ path: file, line: Number(number), text: content.slice(0, MAX_LINE_CHARS) }];
    });
    return { commit, found, cut: cut || lines.length > MAX_FOUND };
  },
};

/**
 * Reads a repository's commits on this disk; nothing is requested from the forge, and no file of a
 * working tree is read. Throws SvcError `not-found` for an unknown branch or file, `bad-argument`
 * for an invalid path or branch name.
 */
export async function readRepository<K extends RepoRead>(
  repo: ForgeRepo,
  operation: K,
  args: RepoReads[K],
): Promise<Record<string, unknown>> {
  const commit = await resolveBranch(repo.path, args.ref === '' ? repo.defaultBranch : args.ref);
  return operations[operation](repo, commit, args);
}
