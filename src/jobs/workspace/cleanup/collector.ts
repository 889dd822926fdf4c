import {
  DAY_MS,
  MIB,
  RETENTION_KINDS,
  type RetentionKind,
} from '../../../base/settings/retention.ts';
import type { TaskLock } from '../../../base/concurrency/taskLock.ts';
import { clearLeftovers, type LeftoverPlaces } from '../../../git/cleanup/clearLeftovers.ts';
import type { GcBody, GcReply } from '../../../contract/schema/runner/gc.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { compareByAge, type CleanupFindings, type HeldThing, type Holding } from './holding.ts';

/** After this time a request begins nothing further, ms. */
const REQUEST_MS = 30_000;

export interface CollectDeps extends Pick<LeftoverPlaces, 'tmpDir' | 'mirrorsDir'> {
  /** Keeps backup and cleanup apart. */
  upkeep: TaskLock;
  /** Read at each request. */
  settings: Pick<Settings, 'retention'>;
  holdings: Readonly<Record<RetentionKind, Holding>>;
  /** Returns the free pages of state.db to the disk; resolves to their bytes. */
  giveBack(): Promise<number>;
  /** Epoch ms. */
  now(): number;
}

/** Where a request ended and the next one continues. */
interface Position {
  kind: RetentionKind;
  since: number;
  id: string;
}

interface CollectRun {
  dryRun: boolean;
  olderThanMs: number | undefined;
  startedAt: number;
  signal: AbortSignal | undefined;
  reply: GcReply;
}

/** Removes what is kept of ended jobs, by the rules of the settings. */
export class Collector {
  readonly #deps: CollectDeps;

  constructor(deps: CollectDeps) {
    this.#deps = deps;
  }

  /**
   * Ends between two things once `signal` is aborted, as at the end of its time. Throws SvcError
   * `not-possible-now` while another request or a backup is running.
   */
  collect(body: GcBody, signal?: AbortSignal): Promise<GcReply> {
    return this.#deps.upkeep.take('a cleanup', () => this.#collect(body, signal));
  }

  async #collect(
    { dryRun = false, olderThanMs, after }: GcBody,
    signal: AbortSignal | undefined,
  ): Promise<GcReply> {
    const { tmpDir, mirrorsDir, holdings, now, giveBack } = this.#deps;
    const startedAt = now();
    const before = this.#computeCutoff('checkouts', startedAt, olderThanMs);
    const reply: GcReply = {
      dryRun,
      endedBefore: Number.isFinite(before) ? new Date(before).toISOString() : null,
      removed: [],
      kept: [],
      left: [],
      inUse: 0,
      freed: 0,
      next: null,
    };
    const from = after === undefined ? null : parsePosition(after);
    if (from === null) {
      addToReply(reply, await clearLeftovers({ tmpDir, mirrorsDir, now: startedAt, dryRun }));
      for (const kind of RETENTION_KINDS) addToReply(reply, await holdings[kind].finish?.(dryRun));
    }
    const work: CollectRun = { dryRun, olderThanMs, startedAt, signal, reply };
    for (const kind of RETENTION_KINDS.slice(from ? RETENTION_KINDS.indexOf(from.kind) : 0)) {
      reply.next = await this.#kind(kind, from?.kind === kind ? from : null, work);
      if (reply.next !== null) break;
    }
    if (!dryRun) reply.freed = await giveBack();
    return reply;
  }

  /** Jobs that ended before this are removed for their age, epoch ms. */
  #computeCutoff(kind: RetentionKind, now: number, olderThanMs: number | undefined): number {
    const { afterDays } = this.#deps.settings.retention[kind];
    if (kind === 'checkouts' && olderThanMs !== undefined) return now - olderThanMs;
    return afterDays === 0 ? Number.NEGATIVE_INFINITY : now - afterDays * DAY_MS;
  }

  /** Returns where to continue; null = everything was checked. */
  async #kind(
    kind: RetentionKind,
    from: Position | null,
    work: CollectRun,
  ): Promise<string | null> {
    const { holdings, settings } = this.#deps;
    const { reply, dryRun } = work;
    const holding = holdings[kind];
    const { maxMb } = settings.retention[kind];
    const before = this.#computeCutoff(kind, work.startedAt, work.olderThanMs);
    const sized = maxMb > 0;
    // Nothing is removed; for checkouts, those in use are counted anyway.
    if (!sized && !Number.isFinite(before) && kind !== 'checkouts') return null;
    const stock = await holding.look({ sized, before });
    let over = sized ? stock.total - maxMb * MIB : 0;
    let removedCount = 0;
    let next: string | null = null;
    for (const thing of [...stock.things].sort(compareByAge)) {
      if ((thing.since > before && over <= 0) || !holding.mayGo(thing.id)) continue;
      const isPast = from !== null && compareByAge(thing, from) <= 0;
      // What an earlier request has kept stays, and makes no room.
      if (isPast && !dryRun) continue;
      over -= thing.bytes;
      removedCount += 1;
      if (isPast) continue;
      addToReply(reply, await holding.remove(thing, dryRun));
      if (!this.#isOver(work)) continue;
      next = toPositionText(kind, thing);
      break;
    }
    if (from === null) {
      addToReply(reply, { left: stock.left ?? [] });
      if (kind === 'checkouts')
        reply.inUse = (stock.inUse ?? 0) + stock.things.length - removedCount;
    }
    return next;
  }

  #isOver({ startedAt, signal }: CollectRun): boolean {
    return signal?.aborted === true || this.#deps.now() - startedAt >= REQUEST_MS;
  }
}

function addToReply(
  reply: GcReply,
  { removed = [], kept = [], left = [] }: Partial<CleanupFindings> = {},
): void {
  reply.removed.push(...removed);
  reply.kept.push(...kept);
  reply.left.push(...left);
}

const toPositionText = (kind: RetentionKind, { since, id }: HeldThing): string =>
  `${kind}/${since}/${id}`;

/** Parses what {@link toPositionText} made; any other text starts from the beginning. */
function parsePosition(text: string): Position | null {
  const [, name, since, id] = /^([a-z]+)\/(\d+)\/(.+)$/.exec(text) ?? [];
  const kind = RETENTION_KINDS.find((one) => one === name);
  return kind && id !== undefined ? { kind, since: Number(since), id } : null;
}
