import { join } from 'node:path';
import type { GitRunner } from './loadObjects.ts';
import { splitFields } from './rawPaths.ts';

/** Values of the attribute `merge` that say: never line by line. */
const EXCLUDED = new Set(['unset', 'binary']);

/**
 * The attribute `merge` as the `.gitattributes` of a tree set it. Drivers, also git's own `union`,
 * have no effect on merges of svc.
 */
export class MergeAttributes {
  readonly #git: GitRunner;
  readonly #dir: string;
  readonly #tree: string;

  /** `dir`: a folder for drafts. */
  constructor(git: GitRunner, dir: string, tree: string) {
    this.#git = git;
    this.#dir = dir;
    this.#tree = tree;
  }

  /** Those of the raw paths that must not be merged line by line (`-merge`, `merge=binary`). */
  async excluded(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const env = { GIT_INDEX_FILE: join(this.#dir, 'attributes') };
    // Nothing is written to disk here, so no name can do harm.
    const names = ['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false'];
    const read = await this.#git([...names, 'read-tree', this.#tree], { env, answers: [128] });
    // A tree that no index can hold, and so no checkout: git reads no attributes there.
    if (read.exitCode !== 0) return [];
    const { stdout } = await this.#git(['check-attr', '--cached', '-z', '--stdin', 'merge'], {
      env,
      encoding: 'latin1',
      input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
    });
    const fields = splitFields(stdout);
    return paths.filter((_, index) => EXCLUDED.has(fields[index * 3 + 2] ?? ''));
  }
}
