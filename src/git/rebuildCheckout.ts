import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { makeFolder } from '../base/system/files/makeFolder.ts';
import { randomIds } from '../base/system/ids/ids.ts';
import { TRANSFER_TIMEOUT_MS } from './checkout.ts';
import { runGit } from './runGit.ts';
import { checkBranch } from './gitNames.ts';
import { readShallow } from './shallow.ts';

/** Refs that are taken over. Others change how git reads objects, or belong to interrupted work. */
const REFS = ['heads', 'tags', 'remotes', 'svc'].map((kind) => `+refs/${kind}/*:refs/${kind}/*`);
const STASH = 'refs/stash';
/** Holds the commit of HEAD while the repository is made. */
const HEAD_REF = 'refs/svc/rebuilt-head';
/** Holds the forge's refs while the repository is made. */
const KNOWN_REFS = 'refs/svc-known';

export interface CheckoutParts {
  parts: string;
  checkoutDir: string;
  /** Repository on this disk that it was cloned from; null = it cannot be read now. */
  source: string | null;
  /** Address of `origin`; null = none. */
  origin: string | null;
  /** Paths of files that are missing in the folder; those that HEAD has are restored from it. */
  missing: readonly string[];
}

const runGitInParts = (
  parts: string,
  args: readonly string[],
  more: Parameters<typeof runGit>[1] = {},
) => runGit(['--git-dir', parts, ...args], { timeoutMs: TRANSFER_TIMEOUT_MS, ...more });

/** Makes a repository of the parts that git can fetch from, computing the indexes of packs. */
async function openParts(parts: string): Promise<void> {
  const packs = join(parts, 'objects', 'pack');
  for (const folder of [join(parts, 'refs'), packs]) await makeFolder(folder, 0o700);
  await writeFile(join(parts, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  // The file holds only ids of commits.
  const cut = await readShallow(parts);
  await rm(join(parts, 'shallow'), { recursive: true, force: true });
  if (cut.length > 0) await writeFile(join(parts, 'shallow'), [...cut, ''].join('\n'));
  for (const name of await readdir(packs))
    if (name.endsWith('.pack')) await runGitInParts(parts, ['index-pack', join(packs, name)]);
}

/** The branch of a symbolic ref; null = it names a commit, or nothing that is a branch. */
async function readSymbolicBranch(file: string, prefix: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const branch = text.startsWith(`ref: ${prefix}`)
    ? text.slice(`ref: ${prefix}`.length).trim()
    : '';
  return branch === '' ? null : checkBranch(branch, 'HEAD');
}

async function configure(
  gitDir: string,
  origin: string | null,
  base: string | null,
): Promise<void> {
  const settings = [
    ['user.name', 'svc agent'],
    ['user.email', 'agent@svc.invalid'],
    ['push.default', 'current'],
    ...(origin === null
      ? []
      : [
          ['remote.origin.url', origin],
          ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
        ]),
    ...(base === null || origin === null
      ? []
      : [
          [`branch.${base}.remote`, 'origin'],
          [`branch.${base}.merge`, `refs/heads/${base}`],
        ]),
  ];
  for (const setting of settings) await runGit(['--git-dir', gitDir, 'config', ...setting]);
}

type Git = (
  args: readonly string[],
  more?: Parameters<typeof runGit>[1],
) => ReturnType<typeof runGit>;

/** Fetches objects and refs; the commit of HEAD becomes {@link HEAD_REF}, if `isBorn`. */
async function fetchParts(
  git: Git,
  { parts, source }: Pick<CheckoutParts, 'parts' | 'source'>,
  isBorn: boolean,
): Promise<void> {
  const fetch = (from: string, isChecked: boolean, ...refs: string[]) =>
    git(
      [
        '-c',
        `fetch.fsckObjects=${isChecked}`,
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--update-shallow',
        '--',
        from,
        ...refs,
      ],
      { fileProtocol: true },
    );
  // Old malformed objects in the forge's history are not the bundle's fault.
  if (source !== null) await fetch(source, false, `+refs/heads/*:${KNOWN_REFS}/*`);
  const refs = [...REFS];
  if (isBorn) refs.push(`+HEAD:${HEAD_REF}`);
  if (await hasCommitInParts(parts, STASH)) refs.push(`+${STASH}:${STASH}`);
  await fetch(parts, true, ...refs);
  const gitRun = await git(['for-each-ref', '--format=delete %(refname)', KNOWN_REFS]);
  await git(['update-ref', '--stdin'], { input: gitRun.stdout });
}

const hasCommitInParts = async (parts: string, ref: string): Promise<boolean> =>
  (
    await runGitInParts(parts, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
      answers: [1, 128],
    })
  ).exitCode === 0;

/** Points HEAD to its former branch or commit. */
async function attachHead(git: Git, parts: string, isBorn: boolean): Promise<void> {
  const branch = await readSymbolicBranch(join(parts, 'HEAD'), 'refs/heads/');
  if (branch !== null) await git(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  else if (isBorn) await git(['update-ref', '--no-deref', 'HEAD', HEAD_REF]);
  if (isBorn) await git(['update-ref', '-d', HEAD_REF]);
}

async function rebuild({ parts, checkoutDir, source, origin, missing }: CheckoutParts) {
  await openParts(parts);
  const unborn = `--initial-branch=svc-${randomIds.next()}`;
  await runGit(['init', '--quiet', '--template=', unborn, checkoutDir]);
  const gitDir = join(checkoutDir, '.git');
  const git: Git = (args, more = {}) =>
    runGit(['--git-dir', gitDir, '--work-tree', checkoutDir, ...args], {
      timeoutMs: TRANSFER_TIMEOUT_MS,
      ...more,
    });
  const isBorn = await hasCommitInParts(parts, 'HEAD');
  await fetchParts(git, { parts, source }, isBorn);
  await attachHead(git, parts, isBorn);
  const base = await readSymbolicBranch(
    join(parts, 'refs/remotes/origin/HEAD'),
    'refs/remotes/origin/',
  );
  if (base !== null)
    await git(['symbolic-ref', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${base}`]);
  await configure(gitDir, origin, base);
  if (!isBorn) return;
  await git(['read-tree', 'HEAD']);
  if (missing.length > 0)
    await git(['checkout-index', '-z', '--stdin'], {
      input: missing.map((path) => `${path}\0`).join(''),
      answers: [1, 128],
    });
  await git(['update-index', '-q', '--refresh'], { answers: [1] });
}

/**
 * Makes the repository of a checkout from objects and refs that were kept elsewhere. Nothing that
 * git would obey is taken over: settings, hooks, attributes and alternates are those of a fresh
 * checkout, ids of objects are computed from their content, new objects are checked, and nothing is
 * staged. Throws SvcError `bad-argument` where the parts are not a complete repository.
 */
export async function rebuildCheckout(request: CheckoutParts): Promise<void> {
  try {
    await rebuild(request);
  } catch (cause) {
    throw new SvcError('bad-argument', `its git data cannot be used: ${toErrorMessage(cause)}`, {
      cause,
    });
  }
}
