import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Most commits on either side of a comparison of changes: each one's diff is made. */
const MAX_COMPARED = 500;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const ask = async ({ gitDir }: Repository, ...args: string[]): Promise<string> =>
  (await runGit(['--git-dir', gitDir, ...args])).stdout;

/** How many commits each of two has that the other one has not. */
async function beyond(
  repository: Repository,
  base: string,
  head: string,
): Promise<{ base: number; head: number }> {
  const text = await ask(repository, 'rev-list', '--left-right', '--count', `${base}...${head}`);
  const [ofBase = 0, ofHead = 0] = text.trim().split(/\s+/).map(Number);
  return { base: ofBase, head: ofHead };
}

/** The commits of one side of `base...head` that have a commit with the same changes on the other. */
async function sameChanges(
  repository: Repository,
  range: string,
  side: '--left-only' | '--right-only',
): Promise<{ same: string[]; other: number }> {
  const args = ['log', '--cherry-mark', side, '--no-merges', '--format=%m%H', range];
  const lines = linesOf(await ask(repository, ...args));
  const same = lines.filter((line) => line.startsWith('=')).map((line) => line.slice(1));
  return { same, other: lines.length - same.length };
}

/**
 * The newest commit of `base` with the changes of one of `head`, where `base` has the changes of
 * every commit of `head` in commits of its own: it was rebased or picked. Undefined where it has
 * not, where `head` has merges, and where more than {@link MAX_COMPARED} commits had to be compared.
 */
export async function findRebased(
  repository: Repository,
  base: string,
  head: string,
): Promise<string | undefined> {
  const count = await beyond(repository, base, head);
  if (count.base === 0 || count.head === 0) return undefined;
  if (Math.max(count.base, count.head) > MAX_COMPARED) return undefined;
  const merges = await ask(repository, 'rev-list', '--merges', '--count', `${base}..${head}`);
  if (Number(merges) > 0) return undefined;
  const range = `${base}...${head}`;
  const { same, other } = await sameChanges(repository, range, '--right-only');
  if (same.length === 0 || other > 0) return undefined;
  return (await sameChanges(repository, range, '--left-only')).same[0];
}

/** Longest text of changes that is compared: 8 MiB. */
const MAX_CHANGES_BYTES = 8 * 1024 * 1024;

const DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--full-index'];

/** Names of sets of changes, with the commit that each of them belongs to. */
async function patchIds({ gitDir }: Repository, changes: string): Promise<string[][]> {
  const { stdout } = await runGit(['--git-dir', gitDir, 'patch-id', '--stable'], {
    input: changes,
  });
  return linesOf(stdout).map((line) => line.split(' '));
}

/**
 * A commit of `base` that brings exactly what all commits of `head` bring together, as a squash
 * does. It may have been made in another way as well. Undefined where none does, or too much had to
 * be compared.
 */
export async function findSquashed(
  repository: Repository,
  base: string,
  head: string,
): Promise<string | undefined> {
  const count = await beyond(repository, base, head);
  if (count.base === 0 || count.base > MAX_COMPARED || count.head < 2) return undefined;
  const { gitDir } = repository;
  const limits = { cutOutput: true, maxBytes: MAX_CHANGES_BYTES };
  const whole = await runGit(['--git-dir', gitDir, 'diff', ...DIFF, `${base}...${head}`], limits);
  if (whole.cut || whole.stdout === '') return undefined;
  const own = await runGit(
    ['--git-dir', gitDir, 'log', '-p', ...DIFF, '--no-merges', `${head}..${base}`],
    limits,
  );
  if (own.cut) return undefined;
  const [wanted] = await patchIds(repository, whole.stdout);
  if (wanted === undefined) return undefined;
  return (await patchIds(repository, own.stdout)).find(([id]) => id === wanted[0])?.[1];
}
