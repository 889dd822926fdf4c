import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../base/errors/errors.ts';
import { MAX_POINTER_BYTES, parsePointer } from './contents/lfsPointers.ts';
import { toLfsObjectPath } from './contents/storedLfsObjects.ts';
import { readFilterAttributes } from './readFilterAttributes.ts';
import { runGit } from './runGit.ts';
import { type GitRunner, loadObjects } from './loadObjects.ts';
import { showRawPath, splitFields } from './rawPaths.ts';

const MAX_LIST_BYTES = 256 * 1024 * 1024;
const MAX_NAMED = 5;

interface KnownFilter {
  matches(name: string): boolean;
  isFiltered(bytes: Buffer): boolean;
  explain(names: string, branch: string): string;
}

/** An empty file is its own pointer. */
const isPointer = (bytes: Buffer): boolean => bytes.length === 0 || parsePointer(bytes) !== null;

const createStartCheck = (start: string) => (bytes: Buffer) =>
  bytes.length === 0 || bytes.toString('latin1', 0, start.length) === start;

const TAKE_OUT =
  'Take them out of the branch (`git checkout origin/<base> -- <file>`, or `git rm --cached <file>` for a new one, then `git commit --amend`), and call create_pr again. If the task needs them changed, ask a person to commit them';

const LFS: KnownFilter = {
  matches: (name) => name === 'lfs',
  isFiltered: isPointer,
  explain: (names, branch) =>
    `The branch ${branch} holds whole files where .gitattributes asks for pointers of Git LFS (filter=lfs): ${names}. svc checkouts contain the pointers and run no Git LFS filter. ${TAKE_OUT}: the contents belong on the LFS server.`,
};

const KNOWN: readonly KnownFilter[] = [
  LFS,
  {
    matches: (name) => /^git-crypt(?:-|$)/.test(name),
    isFiltered: createStartCheck('\0GITCRYPT\0'),
    explain: (names, branch) =>
      `The branch ${branch} holds plain text where .gitattributes asks for encrypted files (filter=git-crypt): ${names}. svc checkouts contain the encrypted files and run no filter. ${TAKE_OUT}, who has the key.`,
  },
  {
    matches: (name) => name === 'crypt',
    isFiltered: createStartCheck('U2FsdGVkX1'),
    explain: (names, branch) =>
      `The branch ${branch} holds plain text where .gitattributes asks for encrypted files (filter=crypt): ${names}. svc checkouts contain the encrypted files and run no filter. ${TAKE_OUT}, who has the key.`,
  },
];

async function findNew(git: GitRunner, branch: string): Promise<Set<string>> {
  const { stdout } = await git(
    ['rev-list', '--objects', '--no-object-names', branch, '--not', '--glob=refs/svc/known', '--'],
    { maxBytes: MAX_LIST_BYTES },
  );
  return new Set(stdout.split('\n').filter((oid) => oid !== ''));
}

async function listNewFiles(git: GitRunner, branch: string): Promise<Map<string, string>> {
  const fresh = await findNew(git, branch);
  if (fresh.size === 0) return new Map();
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', branch], {
    encoding: 'latin1',
    maxBytes: MAX_LIST_BYTES,
  });
  return new Map(
    splitFields(stdout).flatMap((line) => {
      const [, oid = '', path = ''] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return fresh.has(oid) ? [[path, oid] as const] : [];
    }),
  );
}

/** The first bytes of these blobs by id; they show whether a filter wrote the blob. */
async function readStarts(git: GitRunner, oids: readonly string[]): Promise<Map<string, Buffer>> {
  if (oids.length === 0) return new Map();
  const { stdout } = await git(['cat-file', '--batch-check'], {
    input: oids.map((oid) => `${oid}\n`).join(''),
    maxBytes: MAX_LIST_BYTES,
  });
  const sizes = stdout.split('\n').flatMap((line) => {
    const [, oid = '', size = ''] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    return oid === '' ? [] : [[oid, Number(size)] as const];
  });
  const small = sizes.filter(([, size]) => size < MAX_POINTER_BYTES).map(([oid]) => oid);
  const starts = new Map<string, Buffer>();
  for (const [oid, { bytes }] of await loadObjects(git, small)) starts.set(oid, bytes);
  for (const [oid] of sizes) {
    if (starts.has(oid)) continue;
    const start = await git(['cat-file', 'blob', oid], {
      encoding: 'latin1',
      maxBytes: MAX_POINTER_BYTES,
      cutOutput: true,
    });
    starts.set(oid, Buffer.from(start.stdout, 'latin1'));
  }
  return starts;
}

/**
 * Makes sure that the new files of a branch have passed the filters that its attributes name: a
 * checkout without these filters would bring whole files in place of Git LFS pointers, and plain
 * text in place of encrypted files. `gitDir`: a repository with the branch, and with what is
 * already known below refs/svc/known. `checkoutDir`: where the branch was made; contents of Git LFS that are new there
 * would be missing at the forge, because svc uploads none. Throws SvcError `conflict` that names the files.
 */
export async function refuseUnfilteredFiles(
  gitDir: string,
  branch: string,
  checkoutDir: string,
): Promise<void> {
  const git: GitRunner = (args, options) => runGit(['--git-dir', gitDir, ...args], options);
  const ref = `refs/heads/${branch}`;
  const files = await listNewFiles(git, ref);
  const filters = await readFilterAttributes(git, ref, [...files.keys()]);
  for (const knownFilter of KNOWN) {
    const filteredPaths = [...filters]
      .filter(([, name]) => knownFilter.matches(name))
      .map(([path]) => path);
    const starts = await readStarts(
      git,
      filteredPaths.map((path) => files.get(path) ?? ''),
    );
    const wrong = filteredPaths.filter((path) => {
      const bytes = starts.get(files.get(path) ?? '');
      return bytes !== undefined && !knownFilter.isFiltered(bytes);
    });
    if (wrong.length > 0)
      throw createFilesError(wrong, (names) => knownFilter.explain(names, branch));
    if (knownFilter !== LFS) continue;
    const unsent = filteredPaths.filter((path) => {
      const pointer = parsePointer(starts.get(files.get(path) ?? '') ?? Buffer.alloc(0));
      return (
        pointer !== null && existsSync(join(checkoutDir, '.git', toLfsObjectPath(pointer.oid)))
      );
    });
    if (unsent.length > 0)
      throw createFilesError(
        unsent,
        (names) =>
          `The branch ${branch} has new contents of Git LFS: ${names}. svc does not upload them, and at the forge their pointers would lead nowhere. ${TAKE_OUT}.`,
      );
  }
}

function createFilesError(paths: readonly string[], explain: (names: string) => string): SvcError {
  const names = paths.slice(0, MAX_NAMED).map(showRawPath).join(', ');
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return new SvcError('conflict', explain(`${names}${more}`), {
    data: { files: paths.map(showRawPath) },
  });
}
