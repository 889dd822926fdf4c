import { borrowObjects } from './borrowObjects.ts';
import { countBeyond, findRebased, MAX_COMPARED } from './equivalentCommits.ts';
import { findMergeBases } from './history.ts';
import type { GitRunner } from './loadObjects.ts';
import { mergeTrees } from './mergeTrees.ts';
import type { Repository } from './openRepository.ts';

const MAX_TRIED = 40;
const MAX_NAMES_BYTES = 16 * 1024 * 1024;

/** Where a branch took over everything of another one in commits of its own. */
export interface TakenOverCommit {
  commit: string;
  /** False where a later commit removed some of it, which a merge would bring back. */
  isComplete: boolean;
}

interface Commit {
  id: string;
  tree: string;
  parent: string;
}

async function readMergedTree(
  git: GitRunner,
  base: string,
  head: string,
): Promise<string | undefined> {
  const { tree, conflicts } = await mergeTrees(git, base, head);
  return conflicts.size === 0 ? tree : undefined;
}

const readTreeId = async (git: GitRunner, commit: string): Promise<string> =>
  (await git(['rev-parse', `${commit}^{tree}`])).stdout.trim();

async function listOwnCommits(git: GitRunner, base: string, head: string): Promise<Commit[]> {
  const args = ['log', '--no-merges', '--format=%H %T %P', `${head}..${base}`];
  return (await git(args)).stdout.split('\n').flatMap((line) => {
    const [id = '', tree = '', parent = ''] = line.split(' ');
    return parent === '' ? [] : [{ id, tree, parent }];
  });
}

/** The commits among these that changed only paths which `head` has changed as well. */
async function keepWithin(
  git: GitRunner,
  commits: readonly Commit[],
  range: readonly [from: string, head: string],
): Promise<Commit[]> {
  const diff = ['diff-tree', '-r', '--no-renames', '--name-only', '-z'];
  const limits = { encoding: 'latin1', maxBytes: MAX_NAMES_BYTES, cutOutput: true } as const;
  const gitRun = await git([...diff, ...range], limits);
  const input = commits.map(({ id }) => `${id}\n`).join('');
  const own = await git([...diff, '--stdin'], { ...limits, input });
  if (gitRun.cut || own.cut) return [];
  const paths = new Set(gitRun.stdout.split('\0'));
  const ids = new Set(commits.map(({ id }) => id));
  const within = new Map<string, boolean>();
  let id = '';
  for (const field of own.stdout.split('\0')) {
    if (ids.has(field)) {
      id = field;
      within.set(id, true);
    } else if (!paths.has(field)) within.set(id, false);
  }
  return commits.filter((commit) => within.get(commit.id) === true);
}

/**
 * The newest commit that left `base` with the tree that a merge of `head` just before it would have
 * made. For a squash this is one commit, for a rebase the last of as many as `head` has.
 */
async function findCompletion(
  git: GitRunner,
  { base, head, from, commits }: { base: string; head: string; from: string; commits: number },
): Promise<string | undefined> {
  const own = await listOwnCommits(git, base, head);
  const ownById = new Map(own.map((commit) => [commit.id, commit]));
  const candidates = await keepWithin(git, own, [from, head]);
  for (const { id, tree, parent } of candidates.slice(0, MAX_TRIED)) {
    let before: string | undefined = parent;
    for (let n = 1; n < commits && before !== undefined; n++) before = ownById.get(before)?.parent;
    for (const start of new Set([parent, before])) {
      if (start === undefined || (await readTreeId(git, start)) === tree) continue;
      if ((await readMergedTree(git, start, head)) === tree) return id;
    }
  }
  return undefined;
}

/**
 * Whether `base` took over everything that `head` changes, in commits of its own: rebased, picked or
 * squashed, also where the lines around had changed. Undefined where it has not, and where more than
 * {@link MAX_COMPARED} commits had to be compared.
 */
export async function findTakenOver(
  repository: Repository,
  base: string,
  head: string,
): Promise<TakenOverCommit | undefined> {
  const count = await countBeyond(repository, base, head);
  if (count.base === 0 || count.head === 0) return undefined;
  if (Math.max(count.base, count.head) > MAX_COMPARED) return undefined;
  const [from] = await findMergeBases(repository, base, head);
  if (from === undefined) return undefined;
  const rebasedCommit = await findRebased(repository, base, head);
  return borrowObjects(repository, { write: false }, async (git) => {
    const commit =
      rebasedCommit ?? (await findCompletion(git, { base, head, from, commits: count.head }));
    if (commit === undefined) return undefined;
    const merged = await readMergedTree(git, base, head);
    // They conflict: the commits were changed after they were taken over.
    return { commit, isComplete: merged === undefined || merged === (await readTreeId(git, base)) };
  });
}
