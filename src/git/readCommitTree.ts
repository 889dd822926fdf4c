import { SvcError } from '../base/errors/errors.ts';
import { runGit } from './runGit.ts';
import { isAncestor } from './history.ts';
import { parseRawPath, showRawPath, splitFields } from './rawPaths.ts';
import { type GitRunner, loadObjects } from './loadObjects.ts';
import { findBranch, readHeadBranch, openRepository } from './openRepository.ts';

export const MAX_TREE_FILES = 2_000;
export const MAX_TREE_FILE_BYTES = 1024 * 1024;
export const MAX_TREE_BYTES = 32 * 1024 * 1024;
export const MAX_TREE_DEPTH = 32;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

export interface LeftOutFile {
  path: string;
  reason: string;
}

export interface CommitFiles {
  commit: string;
  files: Map<string, Uint8Array>;
  leftOut: LeftOutFile[];
}

/**
 * The commit that a branch (or a full sha) names. Throws `bad-argument` for a bad name, `not-found`
 * when it does not exist.
 */
export async function resolveBranch(repoPath: string, branch: string): Promise<string> {
  const repository = openRepository(repoPath);
  const commit = /^[0-9a-f]{40}$/.test(branch) ? branch : await findBranch(repository, branch);
  if (commit === undefined) throw new SvcError('not-found', `${repoPath} has no branch ${branch}.`);
  return commit;
}

/** The branch that HEAD of the repository names. Throws `config-invalid` when HEAD is detached. */
export function readDefaultBranch(repoPath: string): string {
  const branch = readHeadBranch(openRepository(repoPath));
  if (branch !== null) return branch;
  throw new SvcError(
    'config-invalid',
    `HEAD of ${repoPath} is detached: name its defaultBranch in forges.local.repos of config.json.`,
  );
}

export async function isMerged(repoPath: string, head: string, base: string): Promise<boolean> {
  return isAncestor(
    openRepository(repoPath),
    await resolveBranch(repoPath, head),
    await resolveBranch(repoPath, base),
  );
}

/**
 * Reads the files of a commit (branch name or full sha) under folders such as `.svc/`, and files
 * such as `.mcp.json` at its top, straight from the object store: the working tree is never read,
 * so changing them takes a commit. What lies beside them is not read at all. Symbolic links and
 * submodules are left out silently, single files that cannot be used with a reason (`leftOut`).
 * Throws `not-found` for an unknown branch, `too-large` above the limits of this file for all of
 * them together.
 *
 * What is under `notePaths` never throws for its size or its names: a folder that cannot be read file
 * by file is one entry, its path with its object id as the content, which changes with everything
 * in it.
 */
export async function readCommitTree(
  repoPath: string,
  ref: string,
  prefixes: readonly string[],
  notePaths: readonly string[] = [],
): Promise<CommitFiles> {
  const repository = openRepository(repoPath);
  const commit = await resolveBranch(repoPath, ref);
  const where = `${repoPath}@${commit.slice(0, 12)}`;
  const git: GitRunner = (args, options) =>
    runGit(['--git-dir', repository.gitDir, '--literal-pathspecs', ...args], options);
  try {
    return { commit, ...(await readPrefixes(git, { commit, where }, prefixes, notePaths)) };
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'internal') throw error;
    throw new SvcError(
      'internal',
      `The files of ${where} could not be read: ${error.message} Check the repository with \`git fsck\`.`,
      { cause: error },
    );
  }
}

interface Place {
  commit: string;
  where: string;
}

async function readPrefixes(
  git: GitRunner,
  place: Place,
  prefixes: readonly string[],
  notePaths: readonly string[],
): Promise<Omit<CommitFiles, 'commit'>> {
  const listing = await listFiles(git, place, prefixes);
  const files = await readListed(git, listing);
  for (const entry of await findNoted(git, place, notePaths)) {
    const prefix = entry.kind === 'tree' ? `${entry.path}/` : entry.path;
    const notes = await readNoted(git, place, prefix);
    if (notes) for (const [path, bytes] of notes) files.set(path, bytes);
    else files.set(prefix, new TextEncoder().encode(entry.oid));
  }
  return { files, leftOut: listing.leftOut };
}

/** Null: the path has something that is not a readable file. */
async function readNoted(
  git: GitRunner,
  place: Place,
  prefix: string,
): Promise<Map<string, Uint8Array> | null> {
  try {
    const listing = await listFiles(git, place, [prefix]);
    return listing.leftOut.length > 0 ? null : await readListed(git, listing);
  } catch (error) {
    if (error instanceof SvcError) return null;
    throw error;
  }
}

interface ListedEntry {
  mode: string;
  /** Git's word: blob, tree or commit. */
  kind: string;
  oid: string;
  /** Null for a missing object, and for what is not a file. */
  bytes: number | null;
  raw: string;
  path: string;
}

/** A line of `git ls-tree -l`. */
const LINE = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s;

async function listTreeEntries(
  git: GitRunner,
  { commit }: Place,
  how: readonly string[],
  paths: readonly string[],
): Promise<{ entries: ListedEntry[]; cut: boolean }> {
  const { stdout, cut } = await git(
    ['ls-tree', ...how, '-l', '-z', '--full-tree', commit, '--', ...paths],
    { encoding: 'latin1', maxBytes: MAX_LIST_BYTES, cutOutput: true },
  );
  const lines = splitFields(stdout);
  const entries = (cut ? lines.slice(0, -1) : lines).flatMap((line) => {
    const [, mode = '', kind = '', oid = '', size = '', raw = ''] = LINE.exec(line) ?? [];
    const bytes = /^\d+$/.test(size) ? Number(size) : null;
    return oid === '' ? [] : [{ mode, kind, oid, bytes, raw, path: showRawPath(raw) }];
  });
  return { entries, cut };
}

async function findNoted(
  git: GitRunner,
  place: Place,
  notePaths: readonly string[],
): Promise<ListedEntry[]> {
  if (notePaths.length === 0) return [];
  const isFolder = new Map(
    notePaths.map((prefix) => [prefix.replace(/\/$/, ''), prefix.endsWith('/')]),
  );
  const { entries } = await listTreeEntries(git, place, [], [...isFolder.keys()]);
  return [...isFolder].flatMap(([name, folder]) =>
    entries.filter(
      ({ path, kind, mode }) =>
        path === name && mode !== LINK && kind === (folder ? 'tree' : 'blob'),
    ),
  );
}

interface Listing {
  files: Map<string, string>;
  leftOut: LeftOutFile[];
}

async function listFiles(
  git: GitRunner,
  place: Place,
  prefixes: readonly string[],
): Promise<Listing> {
  if (prefixes.length === 0) return { files: new Map(), leftOut: [] };
  const tooLarge = (what: string) =>
    new SvcError('too-large', `${place.where} cannot be read: ${what}.`);
  const paths = prefixes.includes('') ? [] : prefixes.map((prefix) => prefix.replace(/\/$/, ''));
  // Folders count too: a few objects can describe a tree with any number of folders and no files.
  const { entries, cut } = await listTreeEntries(git, place, ['-r', '-t'], paths);
  const rawPrefixes = prefixes.map(parseRawPath);
  const wantedEntries = entries.filter(({ raw }) =>
    rawPrefixes.some((prefix) => (/\/$|^$/.test(prefix) ? raw.startsWith(prefix) : raw === prefix)),
  );
  if (cut || wantedEntries.length > MAX_TREE_FILES)
    throw tooLarge(`more than ${MAX_TREE_FILES} files`);
  const listing: Listing = { files: new Map(), leftOut: [] };
  let total = 0;
  for (const { path, kind, mode, oid, bytes } of wantedEntries) {
    if (kind === 'tree' && path.split('/').length > MAX_TREE_DEPTH)
      throw tooLarge(`${path} is deeper than ${MAX_TREE_DEPTH} folders`);
    if (kind !== 'blob' || mode === LINK) continue;
    const reason = explainUnusableFile(path, bytes);
    if (reason !== null) {
      listing.leftOut.push({ path, reason });
      continue;
    }
    total += bytes ?? 0;
    if (total > MAX_TREE_BYTES)
      throw tooLarge(`its files are larger than ${MAX_TREE_BYTES} bytes together`);
    listing.files.set(path, oid);
  }
  return listing;
}

async function readListed(git: GitRunner, { files }: Listing): Promise<Map<string, Uint8Array>> {
  const objects = await loadObjects(git, files.values());
  return new Map(
    [...files].flatMap(([path, oid]) => {
      const object = objects.get(oid);
      return object ? [[path, object.bytes] as const] : [];
    }),
  );
}

/** Mode of a symbolic link. */
const LINK = '120000';

/**
 * Why a file is left out: it cannot be read, or its name would leave the folder, or become part of
 * a repository, once written to disk.
 */
function explainUnusableFile(path: string, bytes: number | null): string | null {
  if (path.startsWith('"')) return 'its name is not plain text';
  if (path.includes('\\')) return 'its name contains a backslash';
  if (path.split('/').some((part) => ['', '.', '..', '.git'].includes(part.toLowerCase())))
    return 'its name is not safe on disk';
  if (bytes === null) return 'its content is missing in the repository';
  return bytes > MAX_TREE_FILE_BYTES ? `it is larger than ${MAX_TREE_FILE_BYTES} bytes` : null;
}
