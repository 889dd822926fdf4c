import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RetentionReader } from '../../store/queries/retentionReader.ts';
import { clearDropped } from '../../../git/cleanup/dropMirror.ts';
import { surveyTree } from '../../../git/cleanup/tree.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import { readPlainFile } from '../../../base/system/files/readPlainFile.ts';
import type { Forges } from '../../../providers/forges.ts';
import type { HeldThing, Holding } from './holding.ts';

/** Largest git file of a checkout that is read, bytes. */
const MAX_GIT_FILE_BYTES = 1_048_576;

export interface MirrorsDeps {
  retention: Pick<RetentionReader, 'repositoriesInUse'>;
  forges: Pick<Forges, 'all'>;
  mirrorsDir: string;
  /** Has a folder for each job. */
  workingDir: string;
}

interface Mirror extends HeldThing {
  path: string;
  slug: string;
}

/**
 * Mirrors of remote repositories. The age counts from the last fetch, with which each job begins.
 */
export class MirrorsOnDisk implements Holding {
  readonly #deps: MirrorsDeps;
  readonly #known = new Map<string, Mirror>();

  constructor(deps: MirrorsDeps) {
    this.#deps = deps;
  }

  async finish(dryRun: boolean) {
    if (dryRun) return {};
    const removals = await clearDropped(this.#deps.mirrorsDir);
    return { removed: removals.map((one) => ({ kind: 'mirrors' as const, jobId: null, ...one })) };
  }

  async look({ sized }: { sized: boolean }) {
    this.#known.clear();
    for (const forge of this.#deps.forges.all()) {
      if (!forge.dropMirror) continue;
      for (const { slug, path } of await forge.repos()) {
        const head = await lstat(join(path, 'HEAD')).catch(() => null);
        if (head === null) continue;
        const id = `${forge.id}/${slug}`;
        const bytes = sized ? (await surveyTree(path)).bytes : 0;
        this.#known.set(id, { id, since: Math.floor(head.mtimeMs), bytes, path, slug });
      }
    }
    const things = [...this.#known.values()];
    return { things, total: things.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  mayGo(id: string): boolean {
    const mirror = this.#known.get(id);
    return mirror !== undefined && !this.#isInUse(mirror);
  }

  async remove({ id }: HeldThing, dryRun: boolean) {
    const mirror = this.#known.get(id);
    const forge = this.#deps.forges.all().find((one) => id.startsWith(`${one.id}/`));
    if (!mirror || !forge?.dropMirror) return {};
    const { path, slug } = mirror;
    const keepWithReason = (reason: string) => ({ left: [{ jobId: null, path, reason }] });
    const from = await this.#checkoutFrom(path);
    if (from !== null) return keepWithReason(`the checkout ${from} uses it`);
    const isInUse = () => this.#isInUse(mirror);
    try {
      const result = await forge.dropMirror(slug, { dryRun, isInUse });
      if ('left' in result) return keepWithReason(result.left);
      return { removed: [{ kind: 'mirrors' as const, jobId: null, path, bytes: result.bytes }] };
    } catch (error) {
      return keepWithReason(`the forge could not be queried: ${toErrorMessage(error)}`);
    }
  }

  /** Compares names without case and forge, which keeps at most one mirror too many. */
  #isInUse({ slug }: Mirror): boolean {
    const own = slug.toLowerCase();
    return this.#deps.retention.repositoriesInUse().some((repo) => repo.toLowerCase() === own);
  }

  /** A checkout on this disk that has the mirror as its origin; null = none. */
  async #checkoutFrom(path: string): Promise<string | null> {
    const { workingDir } = this.#deps;
    for (const job of await readdir(workingDir).catch(() => []))
      for (const name of await readdir(join(workingDir, job)).catch(() => [])) {
        const checkout = join(workingDir, job, name);
        for (const file of ['config', 'objects/info/alternates']) {
          const text = await readPlainFile(join(checkout, '.git', file), MAX_GIT_FILE_BYTES);
          if (text?.includes(path)) return checkout;
        }
      }
    return null;
  }
}
