import { lstat, rm } from 'node:fs/promises';
import type { EndedArtefact, RetentionReader } from '../../store/queries/retentionReader.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Blobs } from '../blobs.ts';
import type { HeldThing, Holding } from './holding.ts';

/** Age from which a file that no artefact names counts as left over: a day. */
const OLD_MS = 86_400_000;

/** The moments at which the runner may be killed. */
export type ArtefactStep = 'marked' | 'dropped';

export interface ArtefactsDeps {
  retention: RetentionReader;
  rows: Pick<RowReader, 'all'>;
  writeRows(changes: RowChange[]): Promise<void>;
  blobs: Pick<Blobs, 'listAll' | 'listElsewhere' | 'beginCleanup' | 'drop' | 'path'>;
  blobsDir: string;
  /** Epoch ms. */
  now(): number;
  /** Default: nothing. */
  onStep?(step: ArtefactStep): void;
}

/**
 * Contents of artefacts. Their rows are marked first; a content is removed once every row that
 * names it is marked.
 */
export class Artefacts implements Holding {
  readonly #deps: ArtefactsDeps;

  constructor(deps: ArtefactsDeps) {
    this.#deps = deps;
  }

  /** Finishes removals that were begun, and removes files left by a killed runner. */
  async finish(dryRun: boolean) {
    const { blobs, blobsDir } = this.#deps;
    if (dryRun) return {};
    blobs.beginCleanup();
    const { hashes, others } = await blobs.listAll();
    let bytes = 0;
    for (const hash of hashes) bytes += await this.#drop(hash);
    await this.#dropElsewhere(new Set(hashes));
    for (const path of others) {
      const blobBytes = await this.#leftOver(path);
      if (blobBytes === null) continue;
      await rm(path, { force: true });
      bytes += blobBytes;
    }
    return bytes === 0
      ? {}
      : { removed: [{ kind: 'artefacts' as const, jobId: null, path: blobsDir, bytes }] };
  }

  async look({ sized }: { sized: boolean }) {
    const { retention } = this.#deps;
    const total = sized ? retention.contentBytes() : 0;
    const jobs = new Map<string, EndedArtefact[]>();
    for (const one of retention.artefacts())
      jobs.set(one.jobId, [...(jobs.get(one.jobId) ?? []), one]);
    const things = [...jobs].map(([id, own]): HeldThing => {
      const since = own[0]?.since ?? 0;
      return { id, since, bytes: countUnsharedBytes(own, retention) };
    });
    return { things, total };
  }

  mayGo(id: string): boolean {
    return this.#deps.retention.hasFamilyEnded(id);
  }

  async remove({ id, bytes }: HeldThing, dryRun: boolean) {
    const { retention, writeRows, blobsDir, now, onStep: reached } = this.#deps;
    const removal = [{ kind: 'artefacts' as const, jobId: id, path: blobsDir, bytes }];
    if (dryRun) return { removed: removal };
    const own = this.#deps.rows.all('artefacts', { job_id: id, removed_at: null });
    await writeRows(own.map((row) => toRemovedPatch(row, now())));
    reached?.('marked');
    // The job may have been rerun in the same commit.
    if (!retention.hasFamilyEnded(id)) {
      await writeRows(own.map((row) => toRemovedPatch(row, null)));
      return {};
    }
    for (const hash of new Set(own.map(({ sha256 }) => sha256))) await this.#drop(hash);
    reached?.('dropped');
    return { removed: removal };
  }

  /** Removes a content that only marked rows of ended jobs name; returns its bytes. */
  async #drop(hash: string): Promise<number> {
    const { rows, retention, writeRows, blobs } = this.#deps;
    const size = (await lstat(blobs.path(hash)).catch(() => null))?.size ?? 0;
    const artefactRows = rows.all('artefacts', { sha256: hash });
    if (artefactRows.some((row) => row.removed_at === null)) return 0;
    if (artefactRows.length === 0 && (await this.#leftOver(blobs.path(hash))) === null) return 0;
    const back = artefactRows.filter((row) => !retention.hasFamilyEnded(row.job_id));
    if (back.length > 0) {
      await writeRows(back.map((row) => toRemovedPatch(row, null)));
      return 0;
    }
    // Dropped in the same step as this check; bytes that are put later are written again.
    const again = rows.all('artefacts', { sha256: hash, removed_at: null }, { limit: 1 });
    return again.length === 0 && blobs.drop(hash) ? size : 0;
  }

  /** Removes what another place has and nothing here names: its deletion was lost, as while that place was away. */
  async #dropElsewhere(onDisk: ReadonlySet<string>): Promise<void> {
    const { blobs, rows, retention } = this.#deps;
    const archives = retention.listArchiveHashes();
    for await (const hash of blobs.listElsewhere()) {
      if (onDisk.has(hash) || archives.has(hash)) continue;
      const artefactRows = rows.all('artefacts', { sha256: hash });
      const isNeeded = artefactRows.some(
        (row) => row.removed_at === null || !retention.hasFamilyEnded(row.job_id),
      );
      if (!isNeeded) blobs.drop(hash);
    }
  }

  /** Bytes of a file that is at least a day old; null = it is younger, or gone. */
  async #leftOver(path: string): Promise<number | null> {
    const stats = await lstat(path).catch(() => null);
    return stats?.isFile() && this.#deps.now() - stats.mtimeMs > OLD_MS ? stats.size : null;
  }
}

const toRemovedPatch = (
  { job_id, id }: { job_id: string; id: string },
  removed_at: number | null,
): RowChange => ({ op: 'patch', table: 'artefacts', key: { job_id, id }, set: { removed_at } });

/** Bytes of the contents that no other job names. */
function countUnsharedBytes(
  own: readonly EndedArtefact[],
  retention: Pick<RetentionReader, 'uses'>,
): number {
  const sizes = new Map<string, { size: number; times: number }>();
  for (const { sha256, size } of own)
    sizes.set(sha256, { size, times: (sizes.get(sha256)?.times ?? 0) + 1 });
  return [...sizes].reduce(
    (sum, [hash, { size, times }]) => sum + (retention.uses(hash, times + 1) === times ? size : 0),
    0,
  );
}
