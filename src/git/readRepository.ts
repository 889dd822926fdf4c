import { SvcError } from '../base/errors/errors.ts';
import type { RepoRead, RepoReads } from '../contract/schema/forge/repoReads.ts';
import type { ForgeRepo } from '../contract/forge/forge.ts';
import { runGit } from './runGit.ts';
import { parseRawPath, toRawPathBytes, showRawPath, splitFields } from './rawPaths.ts';
import { resolveBranch } from './readCommitTree.ts';

export const MAX_READ_BYTES = 256 * 1024;
export const MAX_LISTED = 2_000;
export const MAX_FOUND = 200;
const MAX_LINE_CHARS = 400;
/** Longest answer about one path besides the path itself, bytes. */
const MAX_ENTRY_BYTES = 200;

/**
 * Checks a path: it stays inside the repository, and git can take it for nothing but a path. Quoted
 * where its name is not plain text. Empty = the root. Throws SvcError `bad-argument`.
 */
export function checkRepositoryPath(path: string): string {
  const clean = path.replace(/^\.?\/+|\/+$/g, '');
  const raw = parseRawPath(clean);
  const isRelative = /^\.{0,2}\//.test(raw) || raw.split('/').includes('..');
  if (isRelative || /[\0\r\n]/.test(clean) || raw.includes('\0')) {
    throw new SvcError(
      'bad-argument',
      `path ${JSON.stringify(path.slice(0, 200))} is not allowed: give one from the root of the repository.`,
    );
  }
  return clean;
}

type RunOptions = NonNullable<Parameters<typeof runGit>[1]>;

const runReadGit = ({ path }: ForgeRepo, args: readonly string[], options: RunOptions = {}) =>
  runGit(args, { cwd: path, cutOutput: true, maxBytes: MAX_READ_BYTES, ...options });

interface RepoEntry {
  oid: string;
  /** Git's word: blob, tree, commit. */
  kind: string;
}

/** What is at a path of a commit; null = nothing. Empty = the commit itself. */
async function findEntry(repo: ForgeRepo, commit: string, path: string): Promise<RepoEntry | null> {
  if (path === '') return { oid: commit, kind: 'tree' };
  const input = toRawPathBytes(`${commit}:${parseRawPath(path)}\0`);
  const { stdout } = await runReadGit(repo, ['cat-file', '--batch-check', '-z'], {
    input,
    encoding: 'latin1',
    maxBytes: MAX_ENTRY_BYTES + input.length,
  });
  const [, oid, kind] = /^([0-9a-f]+) (\w+) \d+\n/.exec(stdout) ?? [];
  return oid === undefined || kind === undefined ? null : { oid, kind };
}

const toRawFolder = (path: string): string => (path === '' ? '' : `${parseRawPath(path)}/`);

interface FoundLine {
  path: string;
  line: number;
  text: string;
}

/** What `git grep -z -n` prints: path NUL line NUL text newline. Paths may hold line breaks. */
function* parseFound(output: string, prefix: string, toPath: (name: string) => string) {
  for (let at = 0; at < output.length; ) {
    const name = output.indexOf('\0', at);
    const line = output.indexOf('\0', name + 1);
    const end = output.indexOf('\n', line + 1);
    if (name === -1 || line === -1 || end === -1) return;
    const foundLine: FoundLine = {
      path: toPath(output.slice(at + prefix.length, name)),
      line: Number(output.slice(name + 1, line)),
      text: toRawPathBytes(output.slice(line + 1, end))
        .toString('utf8')
        .slice(0, MAX_LINE_CHARS),
    };
    yield foundLine;
    at = end + 1;
  }
}

const operations: {
  [K in RepoRead]: (
    repo: ForgeRepo,
    commit: string,
    args: RepoReads[K],
  ) => Promise<Record<string, unknown>>;
} = {
  async read_file(repo, commit, { path }) {
    const file = checkRepositoryPath(path);
    const entry = await findEntry(repo, commit, file);
    if (entry?.kind !== 'blob')
      throw new SvcError(
        'not-found',
        `${repo.slug} has no file ${path} at ${commit.slice(0, 12)}.`,
      );
    const { stdout, cut } = await runReadGit(repo, ['cat-file', 'blob', entry.oid]);
    if (stdout.includes('\0')) throw new SvcError('invalid', `${path} is not text.`);
    return { path: file, commit, text: stdout, cut };
  },

  async list_files(repo, commit, { path }) {
    const folder = checkRepositoryPath(path);
    const entry = await findEntry(repo, commit, folder);
    if (entry === null) return { commit, files: [], cut: false };
    if (entry.kind !== 'tree') return { commit, files: [folder], cut: false };
    const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', entry.oid];
    const { stdout, cut } = await runReadGit(repo, args, { encoding: 'latin1' });
    const names = splitFields(stdout).slice(0, cut ? -1 : undefined);
    const files = names.slice(0, MAX_LISTED).map((raw) => showRawPath(toRawFolder(folder) + raw));
    return { commit, files, cut: cut || names.length > MAX_LISTED };
  },

  async search_code(repo, commit, { text, path }) {
    const scope = checkRepositoryPath(path);
    const entry = await findEntry(repo, commit, scope);
    if (entry === null) return { commit, found: [], cut: false };
    const { stdout, cut } = await runReadGit(repo, [...SEARCH, '-e', text, entry.oid, '--'], {
      encoding: 'latin1',
      answers: [1],
    });
    const isFolder = entry.kind === 'tree';
    const lines = parseFound(stdout, isFolder ? `${entry.oid}:` : '', (name) =>
      isFolder ? showRawPath(toRawFolder(scope) + name) : scope,
    );
    const foundLines: FoundLine[] = [];
    for (const line of lines) {
      if (foundLines.length === MAX_FOUND) return { commit, found: foundLines, cut: true };
      foundLines.push(line);
    }
    return { commit, found: foundLines, cut };
  },
};

/** Makes each line of output a path, a number and a text, whatever the repository configures. */
const SEARCH = [
  'grep',
  '--no-color',
  '--no-column',
  '--no-heading',
  '--no-break',
  '--no-textconv',
  '--full-name',
  '-n',
  '-I',
  '-F',
  '-z',
];

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
