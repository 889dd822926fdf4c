import { posix } from 'node:path';
import { runGit } from './runGit.ts';
import { openRepository } from './openRepository.ts';
import { resolveBranch } from './readCommitTree.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_READ_BYTES = 64 * 1024 * 1024;
const MAX_READ_FILES = 8_000;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Longest path that a link may lead to, bytes. */
const MAX_LINK_BYTES = 4_096;
/** Length of the longest chain of links that is followed. */
const MAX_LINKS = 8;

/** An item of the tree that cannot be read, with its reason as a clause and how to fix it. */
export interface UnreadItem {
  path: string;
  reason: string;
  hint: string;
}

export interface LayerTree {
  commit: string;
  /** Path from the root of the repository → bytes. */
  files: Map<string, Uint8Array>;
  leftOut: UnreadItem[];
}

export interface LayerPart {
  /** Folders with a slash at the end, and files at the top; the empty text is everything. */
  prefixes: readonly string[];
  /** Folders that only links of the layer may lead to. */
  linkedOnly?: readonly string[];
  /** Which paths are not even read, such as installed packages. Default: none. */
  skips?(path: string): boolean;
}

interface Entry {
  mode: string;
  oid: string;
  /** Bytes; null for a submodule. */
  size: number | null;
  path: string;
}

const isLinkEntry = ({ mode }: Entry): boolean => mode === '120000';
const isSubmodule = ({ mode }: Entry): boolean => mode === '160000';

const NUL = 0;
const NEWLINE = 0x0a;

/** Every entry under these paths. `cut`: the list was longer than its limit. */
async function listLayerEntries(
  gitDir: string,
  commit: string,
  prefixes: readonly string[],
): Promise<{ entries: Entry[]; cut: boolean }> {
  const pieces: Buffer[] = [];
  const { cut } = await runGit(
    [
      '--git-dir',
      gitDir,
      'ls-tree',
      '-r',
      '-z',
      '-l',
      '--full-tree',
      commit,
      ...prefixes.filter((prefix) => prefix !== ''),
    ],
    { maxBytes: MAX_LIST_BYTES, cutOutput: true, onOutput: (piece) => pieces.push(piece) },
  );
  const output = Buffer.concat(pieces);
  const entries: Entry[] = [];
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(NUL, from);
    if (end < 0) break;
    // Bytes that are not UTF-8 become U+FFFD, for which the layer refuses the name.
    const [head = '', path = ''] = output
      .subarray(from, end)
      .toString('utf8')
      .split(/\t(.*)/s);
    const [mode = '', , oid = '', size = '-'] = head.split(/ +/);
    entries.push({ mode, oid, path, size: size === '-' ? null : Number(size) });
    from = end + 1;
  }
  return { entries, cut };
}

async function readObjects(
  gitDir: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  if (oids.length === 0) return contents;
  const pieces: Buffer[] = [];
  await runGit(['--git-dir', gitDir, 'cat-file', '--batch'], {
    input: oids.map((oid) => `${oid}\n`).join(''),
    // 100 bytes are more than git prints before each object.
    maxBytes: MAX_READ_BYTES + MAX_FILE_BYTES + oids.length * 100,
    onOutput: (piece) => pieces.push(piece),
  });
  const output = Buffer.concat(pieces);
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf(NEWLINE, from);
    if (end < 0) break;
    const [oid = '', kind, size = '0'] = output.subarray(from, end).toString().split(' ');
    const length = kind === 'blob' ? Number(size) : 0;
    if (kind === 'blob') contents.set(oid, output.subarray(end + 1, end + 1 + length));
    from = end + 1 + (kind === 'blob' ? length + 1 : 0);
  }
  return contents;
}

const isUnder = (path: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) =>
    prefix.endsWith('/') ? path.startsWith(prefix) : prefix === '' || path === prefix,
  );

/** Resolves the links of a tree, within the allowed folders. */
class Links {
  readonly #byPath: ReadonlyMap<string, Entry>;
  readonly #targets: ReadonlyMap<string, Uint8Array>;
  readonly #allowed: readonly string[];
  /**
   * Steps that are left for all links together: links can be made to lead to each other endlessly.
   */
  #steps = MAX_READ_FILES;

  constructor(
    entries: readonly Entry[],
    targets: ReadonlyMap<string, Uint8Array>,
    allowedTargets: readonly string[],
  ) {
    this.#byPath = new Map(entries.map((entry) => [entry.path, entry]));
    this.#targets = targets;
    this.#allowed = allowedTargets;
  }

  /** The files behind a link, by their path below it; or why none exist. */
  follow(
    link: Entry,
    depth = 1,
  ): { files: { path: string; entry: Entry }[]; problem: string | null } {
    const none = (problem: string) => ({ files: [], problem });
    this.#steps -= 1;
    if (depth > MAX_LINKS || this.#steps < 0)
      return none('the link leads in a loop, or through too many others');
    const text = Buffer.from(this.#targets.get(link.oid) ?? []).toString('utf8');
    const target = posix.normalize(posix.join(posix.dirname(link.path), text)).replace(/\/$/, '');
    const isInside =
      !text.startsWith('/') &&
      (isUnder(target, this.#allowed) || isUnder(`${target}/`, this.#allowed));
    if (!isInside) return none('the link leads out of the layer');
    if (`${link.path}/`.startsWith(`${target}/`)) return none('the link leads in a loop');
    const entry = this.#byPath.get(target);
    if (entry !== undefined)
      return isLinkEntry(entry)
        ? this.follow({ ...entry }, depth + 1)
        : { files: [{ path: '', entry }], problem: null };
    const inside = [...this.#byPath.values()].filter(({ path }) => path.startsWith(`${target}/`));
    if (inside.length === 0) return none('the link is broken');
    return {
      files: inside.flatMap((one) => {
        const rest = one.path.slice(target.length);
        if (!isLinkEntry(one)) return [{ path: rest, entry: one }];
        return this.follow(one, depth + 1).files.map((file) => ({
          path: `${rest}${file.path}`,
          entry: file.entry,
        }));
      }),
      problem: null,
    };
  }
}

/**
 * Reads the part of a commit (branch name or full sha) that is a layer from the object store. The
 * working tree is never read, so changing a layer takes a commit. What cannot be read is left out
 * with its reason; links inside the layer are followed. Throws `not-found` for an unknown branch.
 */
export async function readLayerTree(
  repoPath: string,
  ref: string,
  { prefixes, linkedOnly = [], skips = () => false }: LayerPart,
): Promise<LayerTree> {
  const { gitDir } = openRepository(repoPath);
  const commit = await resolveBranch(repoPath, ref);
  const { entries: all, cut } = await listLayerEntries(gitDir, commit, [
    ...prefixes,
    ...linkedOnly,
  ]);
  const leftOut: UnreadItem[] = [];
  const leaveOut = (path: string, reason: string, hint: string) =>
    leftOut.push({ path, reason, hint });
  if (cut)
    leaveOut(
      all.at(-1)?.path ?? '',
      'the layer has too many entries, and what comes after it is not read',
      'Keep only intelligence files in it.',
    );
  const small = all.filter((one) => isLinkEntry(one) && (one.size ?? 0) <= MAX_LINK_BYTES);
  const links = new Links(
    all,
    await readObjects(gitDir, [...new Set(small.map(({ oid }) => oid))]),
    [...prefixes, ...linkedOnly],
  );

  const wantedEntries = new Map<string, Entry>();
  let bytes = 0;
  const want = (path: string, entry: Entry): void => {
    if (skips(path)) return;
    const size = entry.size ?? 0;
    if (size > MAX_FILE_BYTES)
      leaveOut(
        path,
        `it has more than 1 MiB (${MAX_FILE_BYTES} bytes)`,
        'Shorten it or move it out.',
      );
    else if (wantedEntries.size >= MAX_READ_FILES || bytes + size > MAX_READ_BYTES)
      leaveOut(
        path,
        `the layer has more than ${MAX_READ_FILES} files, or ${MAX_READ_BYTES} bytes`,
        'Keep only intelligence files in it.',
      );
    else {
      bytes += size;
      wantedEntries.set(path, entry);
    }
  };
  for (const entry of all) {
    const { path } = entry;
    if (skips(path) || !isUnder(path, prefixes)) continue;
    if (isSubmodule(entry)) leaveOut(path, 'it is a submodule', 'Copy its files into the layer.');
    else if (isLinkEntry(entry)) {
      const { files, problem } = links.follow(entry);
      if (problem !== null) leaveOut(path, problem, 'Remove it, fix it, or copy what it leads to.');
      for (const one of files) if (!isSubmodule(one.entry)) want(`${path}${one.path}`, one.entry);
    } else want(path, entry);
  }
  const objects = await readObjects(gitDir, [
    ...new Set([...wantedEntries.values()].map(({ oid }) => oid)),
  ]);
  const files = new Map<string, Uint8Array>();
  for (const [path, { oid }] of wantedEntries) {
    const content = objects.get(oid);
    if (content === undefined)
      leaveOut(path, 'its object is missing in the repository', 'Run git fsck there.');
    else files.set(path, content);
  }
  return { commit, files, leftOut };
}
