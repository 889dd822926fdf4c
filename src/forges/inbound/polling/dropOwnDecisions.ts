import type { AuthoredEvent } from '../../../contract/forge/forge.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';

/** How far the clocks of svc and of a forge may be apart, ms. */
const SKEW_MS = 2 * 60_000;
const SENT_WITHIN_MS = 15 * 60_000;

type DecisionEventKind = 'approved' | 'changes_requested';

/** A decision that svc has written, and when it first went out (epoch ms). */
interface WrittenDecision {
  kind: DecisionEventKind;
  at: number;
}

const REVIEW = /^review:([^/]+)\//;

/** The decisions among the writes of svc, each once however many writes it took. */
function collectWrittenDecisions(
  rows: Pick<RowReader, 'all'>,
  writes: readonly Tables['forge_writes'][],
): WrittenDecision[] {
  const decisions = new Map<string, WrittenDecision>();
  for (const { operation_id: id, operation, state, at } of writes) {
    if (state === 'refused') continue;
    const review = REVIEW.exec(id)?.[1];
    const decision =
      review === undefined
        ? operation === 'approve_pr'
          ? 'approve'
          : 'comment'
        : (rows.all('reviews', { id: review })[0]?.verdict ?? 'comment');
    if (decision === 'comment') continue;
    // The decision is the last part of a review that goes out.
    const key = review ?? id;
    decisions.set(key, {
      kind: decision === 'approve' ? 'approved' : 'changes_requested',
      at: Math.max(at, decisions.get(key)?.at ?? at),
    });
  }
  return [...decisions.values()];
}

const isDecided = ({ account, own, event }: AuthoredEvent): boolean =>
  account === true && !own && (event.kind === 'approved' || event.kind === 'changes_requested');

/**
 * The news without the decisions that svc itself has written. Where a person also uses svc's
 * account, only texts show who wrote something, and a decision has no text at GitLab and Bitbucket:
 * there the first decision of its kind at about the time of a write counts as that write.
 */
export function dropOwnDecisions(
  rows: Pick<RowReader, 'all' | 'one'>,
  forge: Pick<RemoteForge, 'id' | 'canonical'>,
  news: readonly AuthoredEvent[],
): AuthoredEvent[] {
  const own = new Set<AuthoredEvent>();
  for (const number of new Set(news.filter(isDecided).map(({ event }) => event.number))) {
    const writes = rows.all('forge_writes', { forge: forge.id, number });
    for (const repo of new Set(writes.map((write) => write.repo))) {
      const isHere = ({ event }: AuthoredEvent) =>
        event.number === number && forge.canonical(event.repo) === forge.canonical(repo);
      const decisionNews = news.filter((one) => isDecided(one) && isHere(one));
      const mine = writes.filter((write) => write.repo === repo);
      for (const writtenDecision of collectWrittenDecisions(rows, mine)) {
        const first = decisionNews.find(
          (one) => !own.has(one) && isWrittenDecision(one.event, writtenDecision),
        );
        if (first) own.add(first);
      }
    }
  }
  return news.filter((one) => !own.has(one));
}

const isWrittenDecision = (
  { kind, happenedAt }: ProviderEvent,
  { kind: writtenKind, at }: WrittenDecision,
): boolean =>
  kind === writtenKind && happenedAt >= at - SKEW_MS && happenedAt <= at + SENT_WITHIN_MS + SKEW_MS;
