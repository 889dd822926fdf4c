import { runGit } from './runGit.ts';
import type { Repository } from './openRepository.ts';

/** Most commits on either side of a comparison of changes: each one's diff is made. */
export const MAX_COMPARED = 500;

const splitCommitLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const askRepositoryGit = async ({ gitDir }: Repository, ...args: string[]): Promise<string> =>
  (await runGit(['--git-dir', gitDir, ...args])).stdout;

export async function countBeyond(
  repository: Repository,
  base: string,
  head: string,
): Promise<{ base: number; head: number }> {
  const text = await askRepositoryGit(
    repository,
    'rev-list',
    '--left-right',
    '--count',
    `${base}...${head}`,
  );
  const [ofBase = 0, ofHead = 0] = text.trim().split(/\s+/).map(Number);
  return { base: ofBase, head: ofHead };
}

async function findSameChanges(
  repository: Repository,
  range: string,
  side: '--left-only' | '--right-only',
): Promise<{ same: string[]; other: number }> {
  const args = ['log', '--cherry-mark', side, '--no-merges', '--format=%m%H', range];
  const lines = splitCommitLines(await askRepositoryGit(repository, ...args));
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
  const count = await countBeyond(repository, base, head);
  if (count.base === 0 || count.head === 0) return undefined;
  if (Math.max(count.base, count.head) > MAX_COMPARED) return undefined;
  const merges = await askRepositoryGit(
    repository,
    'rev-list',
    '--merges',
    '--count',
    `${base}..${head}`,
  );
  if (Number(merges) > 0) return undefined;
  const range = `${base}...${head}`;
  const { same, other } = await findSameChanges(repository, range, '--right-only');
  if (same.length === 0 || other > 0) return undefined;
  return (await findSameChanges(repository, range, '--left-only')).same[0];
}
