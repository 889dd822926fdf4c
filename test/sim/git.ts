/** A merge that is in the repository, whether or not the runner has recorded it. */
export interface Merge {
  head: string;
  /** Commits of the head that it brought into the base. */
  upTo: number;
  commit: string;
  /** From the trailer of the merge commit; null for one by hand. */
  operationId: string | null;
  author: string;
  at: number;
}

/**
 * The one repository and the checkouts of it: what git holds outlives every crash of the runner.
 */
export class SimulatedGit {
  /** Commits of each branch in the repository, beyond its beginning. */
  readonly #heads = new Map<string, number>();
  /** Commits of each branch in a job's checkout. */
  readonly #checkouts = new Map<string, number>();
  readonly merges: Merge[] = [];

  /** A commit of an agent in its checkout. */
  commit(checkout: string, branch: string): void {
    const key = `${checkout} ${branch}`;
    this.#checkouts.set(
      key,
      Math.max(this.#checkouts.get(key) ?? 0, this.#heads.get(branch) ?? 0) + 1,
    );
  }

  push(checkout: string, branch: string): void {
    const local = this.#checkouts.get(`${checkout} ${branch}`);
    if (local !== undefined) this.#heads.set(branch, Math.max(local, this.#heads.get(branch) ?? 0));
  }

  /** The newest commit of a branch; empty = no such branch. */
  readCommit(branch: string): string {
    return this.has(branch) ? `${branch}@${this.#heads.get(branch)}` : '';
  }

  has(branch: string): boolean {
    return this.#heads.has(branch);
  }

  /** Commits of the branch that the base does not have. */
  beyondBase(branch: string): number {
    return (this.#heads.get(branch) ?? 0) - (this.lastMerge(branch)?.upTo ?? 0);
  }

  lastMerge(head: string): Merge | undefined {
    return this.merges.findLast((merge) => merge.head === head);
  }

  merge(head: string, by: Pick<Merge, 'operationId' | 'author' | 'at'>): Merge {
    const merge = {
      head,
      upTo: this.#heads.get(head) ?? 0,
      commit: `c${this.merges.length + 1}`,
      ...by,
    };
    this.merges.push(merge);
    return merge;
  }
}
