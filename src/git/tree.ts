import type { TreeEntry } from 'isomorphic-git';
import { SvcError } from '../lib/errors.ts';
import {
  findBranch,
  headBranch,
  type Objects,
  objectsOf,
  openRepository,
  reading,
} from './repository.ts';
import { isAncestor } from './history.ts';
import { objectLibrary } from './objectLibrary.ts';

/** Most files that are read of one commit. */
export const MAX_TREE_FILES = 2_000;
/** Largest file that is read of a commit: 1 MiB. */
export const MAX_TREE_FILE_BYTES = 1024 * 1024;
/** Most bytes of all files together: 32 MiB. */
export const MAX_TREE_BYTES = 32 * 1024 * 1024;
/** Deepest folder, counted from the root. */
export const MAX_TREE_DEPTH = 32;

export interface CommitFiles {
  /** sha of the commit that was read. */
  commit: string;
  /** Path from the root of the repository → bytes. */
  files: Map<string, Uint8Array>;
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
export function defaultBranch(repoPath: string): string {
  const branch = headBranch(openRepository(repoPath));
  if (branch !== null) return branch;
  throw new SvcError(
    'config-invalid',
    `HEAD of ${repoPath} is detached: name its defaultBranch in forges.local.repos of config.json.`,
  );
}

/** True when everything of branch or commit `head` is in `base`. */
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
 * so changing them takes a commit. Symbolic links and submodules are left out. Throws `not-found`
 * for an unknown branch, `too-large` above the limits of this file, `invalid` for unsafe file
 * names.
 *
 * What is under `noted` never throws for its size or its names: a folder that cannot be read file
 * by file is one entry, its path with its object id as the content, which changes with everything
 * in it.
 */
export async function readTree(
  repoPath: string,
  ref: string,
  prefixes: readonly string[],
  noted: readonly string[] = [],
): Promise<CommitFiles> {
  const repository = openRepository(repoPath);
  const commit = await resolveBranch(repoPath, ref);
  return reading(repository, async () => {
    const open = () =>
      new FolderReader(objectsOf(repository), `${repoPath}@${commit.slice(0, 12)}`);
    const reader = open();
    for (const prefix of prefixes) await reader.readPrefix(commit, prefix);
    const files = new Map(reader.files);
    for (const prefix of noted)
      for (const [path, bytes] of await open().notePrefix(commit, prefix)) files.set(path, bytes);
    return { commit, files };
  });
}

class FolderReader {
  readonly files = new Map<string, Uint8Array>();
  readonly #objects: Objects;
  readonly #where: string;
  #entries = 0;
  #bytes = 0;

  constructor(objects: Objects, where: string) {
    this.#objects = objects;
    this.#where = where;
  }

  async notePrefix(commit: string, prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    try {
      await this.readPrefix(commit, prefix);
      return this.files;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      const git = await objectLibrary();
      const { tree } = await git.readTree({ ...this.#objects, oid: commit });
      const entry = tree.find(({ path }) => path === prefix.replace(/\/$/, ''));
      return new Map([[prefix, new TextEncoder().encode(entry?.oid ?? '')]]);
    }
  }

  async readPrefix(commit: string, prefix: string): Promise<void> {
    const names = prefix.split('/').filter((name) => name !== '');
    const git = await objectLibrary();
    let oid = commit;
    for (const name of names) {
      const { tree } = await git.readTree({ ...this.#objects, oid });
      const entry = tree.find((candidate) => candidate.path === name);
      if (entry && isRegularFile(entry) && prefix === name) return this.#readFile(entry.oid, name);
      if (entry?.type !== 'tree') return;
      oid = entry.oid;
    }
    await this.#readFolder(oid, names.join('/'), names.length);
  }

  async #readFolder(oid: string, folder: string, depth: number): Promise<void> {
    if (depth > MAX_TREE_DEPTH)
      throw this.#tooLarge(`${folder} is deeper than ${MAX_TREE_DEPTH} folders`);
    const git = await objectLibrary();
    const { tree } = await git.readTree({ ...this.#objects, oid });
    for (const entry of tree) {
      const path = folder === '' ? entry.path : `${folder}/${entry.path}`;
      if (isUnsafe(entry.path)) {
        throw new SvcError(
          'invalid',
          `${this.#where} contains a file with the unsafe name ${JSON.stringify(path)}.`,
        );
      }
      // Folders count too: a few objects can describe a tree of any number of empty-handed folders.
      if (++this.#entries > MAX_TREE_FILES)
        throw this.#tooLarge(`more than ${MAX_TREE_FILES} files`);
      if (entry.type === 'tree') await this.#readFolder(entry.oid, path, depth + 1);
      else if (isRegularFile(entry)) await this.#readFile(entry.oid, path);
    }
  }

  async #readFile(oid: string, path: string): Promise<void> {
    const { blob } = await (await objectLibrary()).readBlob({ ...this.#objects, oid });
    if (blob.length > MAX_TREE_FILE_BYTES)
      throw this.#tooLarge(`${path} is larger than ${MAX_TREE_FILE_BYTES} bytes`);
    this.#bytes += blob.length;
    if (this.#bytes > MAX_TREE_BYTES)
      throw this.#tooLarge(`its files are larger than ${MAX_TREE_BYTES} bytes together`);
    this.files.set(path, blob);
  }

  #tooLarge(what: string): SvcError {
    return new SvcError('too-large', `${this.#where} cannot be read: ${what}.`);
  }
}

const isRegularFile = (entry: TreeEntry): boolean =>
  entry.type === 'blob' && entry.mode !== '120000';

/**
 * Names that would leave the folder or become part of a repository where the files are written to
 * disk.
 */
const isUnsafe = (name: string): boolean =>
  name === '.' ||
  name === '..' ||
  name === '' ||
  /[/\\\0]/.test(name) ||
  name.toLowerCase() === '.git';
