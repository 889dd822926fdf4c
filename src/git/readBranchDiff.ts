import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapePath, parseShownPath } from '../base/text/pathNames.ts';
import { SvcError } from '../base/errors/errors.ts';
import { sha256 } from '../base/system/ids/ids.ts';
import { runGit } from './runGit.ts';
import { toRawPathBytes, splitFields } from './rawPaths.ts';
import { copyShallow } from './shallow.ts';

/** Most of the text of a change that is read, bytes; its files and lines are always counted. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const DRAFTS_FOLDER = 'svc-index-';

export interface BranchDiff {
  /** Files that it adds, changes or removes; names that are not plain text are escaped. */
  paths: string[];
  lines: number;
  /** Bytes of the diff without context; of a binary file those of the old and the new one. */
  bytes: number;
  /** The lines that it adds, of each file; at most 8 MiB of text altogether. */
  added: { path: string; text: string }[];
  /** Equal for the same content on the same commit. */
  hash: string;
}

function readAddedLines(diff: string): BranchDiff['added'] {
  const files = new Map<string, string[]>();
  let [path, isHeader] = ['', true];
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) isHeader = true;
    else if (line.startsWith('@@')) isHeader = false;
    else if (isHeader && line.startsWith('+++ '))
      path = escapePath(
        parseShownPath(
          line
            .slice('+++ '.length)
            .replace(/\t$/, '')
            .replace(/^("?)b\//, '$1'),
        ),
      );
    else if (!isHeader && line.startsWith('+'))
      files.set(path, [...(files.get(path) ?? []), line.slice(1)]);
  }
  return [...files].map(([name, lines]) => ({ path: name, text: lines.join('\n') }));
}

/** The ids of these files before and after, from `git diff --raw -z`. */
function readChangedBlobIds(raw: string, paths: ReadonlySet<string>): string[] {
  const parts = raw.split('\0');
  return parts.flatMap((part, at) => {
    const [, , before = '', after = ''] = /^:\d+ \d+ /.test(part) ? part.split(' ') : [];
    // An id of zeros: the file does not exist on this side.
    return paths.has(parts[at + 1] ?? '')
      ? [before, after].filter((id) => /[1-9a-f]/.test(id))
      : [];
  });
}

interface DiffRequest {
  checkoutDir: string;
  branch: string;
  base: string;
  /** The forge's repository on this disk. */
  repoPath: string;
  signal?: AbortSignal;
}

/**
 * What `branch` of a checkout brings to `base` of the forge's repository. The checkout's objects
 * may lack the base. Throws SvcError `not-found` where the base does not exist.
 */
export async function readBranchDiff(request: DiffRequest): Promise<BranchDiff> {
  const dir = await mkdtemp(join(tmpdir(), DRAFTS_FOLDER));
  try {
    return await diffBranch(request, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** `drafts`: a folder of its own. */
async function diffBranch(request: DiffRequest, drafts: string): Promise<BranchDiff> {
  const { checkoutDir, branch, base, repoPath, signal } = request;
  const cut = signal ? { signal } : {};
  const read = async (args: readonly string[], more: Parameters<typeof runGit>[1] = {}) =>
    (await runGit(args, { ...cut, ...more })).stdout;
  const common = (
    await read(['-C', repoPath, 'rev-parse', '--path-format=absolute', '--git-common-dir'])
  ).trim();
  const from = (
    await read(['-C', repoPath, 'rev-parse', '--verify', '--quiet', `refs/heads/${base}`], {
      answers: [1],
    })
  ).trim();
  if (from === '') throw new SvcError('not-found', `The repository has no branch ${base}.`);
  const isCut = await copyShallow([common, join(checkoutDir, '.git')], drafts);
  const inCheckout = (args: readonly string[], more: Parameters<typeof runGit>[1] = {}) =>
    read(['-C', checkoutDir, ...args], {
      env: {
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(common, 'objects'),
        ...(isCut ? { GIT_SHALLOW_FILE: join(drafts, 'shallow') } : {}),
      },
      ...more,
    });
  const tip = `refs/heads/${branch}`;
  const plain = [
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--no-color',
    // Overrides the checkout's configuration, so that nothing is left out and names stay readable.
    '--ignore-submodules=none',
    '--submodule=short',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const diff = (...how: string[]) => [
    '-c',
    'core.quotePath=true',
    'diff',
    ...plain,
    ...how,
    `${from}...${tip}`,
    '--',
  ];
  const numstat = await inCheckout(diff('--numstat', '-z'), { encoding: 'latin1' });
  const files = splitFields(numstat).map((entry) => {
    const [, more = '', fewer = '', raw = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(entry) ?? [];
    return { more, fewer, raw, path: escapePath(toRawPathBytes(raw)) };
  });
  const beginning: Buffer[] = [];
  let bytes = 0;
  await inCheckout(diff('--unified=0'), {
    onOutput(piece) {
      if (bytes < MAX_TEXT_BYTES)
        beginning.push(Buffer.from(piece.subarray(0, MAX_TEXT_BYTES - bytes)));
      bytes += piece.length;
    },
    maxBytes: Number.POSITIVE_INFINITY,
  });
  const isBinary = new Set(files.flatMap(({ more, raw }) => (more === '-' ? [raw] : [])));
  if (isBinary.size > 0) {
    const raw = await inCheckout(diff('--raw', '--no-abbrev', '-z'), { encoding: 'latin1' });
    const sizes = await inCheckout(['cat-file', '--batch-check=%(objectsize)'], {
      input: readChangedBlobIds(raw, isBinary)
        .map((id) => `${id}\n`)
        .join(''),
    });
    for (const size of sizes.split('\n')) bytes += Number(size) || 0;
  }
  const start = await inCheckout(['merge-base', from, tip]);
  const tree = await inCheckout(['rev-parse', `${tip}^{tree}`]);
  return {
    paths: files.map(({ path }) => path),
    lines: files.reduce(
      (sum, { more, fewer }) => sum + (Number(more) || 0) + (Number(fewer) || 0),
      0,
    ),
    bytes,
    added: readAddedLines(Buffer.concat(beginning).toString('utf8')),
    hash: sha256(`${start.trim()} ${tree.trim()}`),
  };
}
