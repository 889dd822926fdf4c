import { toIsoTime, toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import type {
  ProviderEvent,
  ProviderEventKind,
  PrMapping,
} from '../../contract/schema/forge/pr.ts';
import type { PrComment, PrStatus } from '../../contract/forge/forge.ts';
import type { CommentRow, PrRow, ReviewRow } from './rows.ts';

export const LOCAL_FORGE = 'local';

export const isAgentName = (name: string): boolean => /^svc:/i.test(name);

export type WebUrl = (repo: string, number: number) => string;

export const formatLocalPrId = (repo: string, number: number): string =>
  `${LOCAL_FORGE}:${repo}#${number}`;

export const toLocalMapping = (row: PrRow, webUrl: WebUrl): PrMapping => ({
  prId: formatLocalPrId(row.repo, row.number),
  forge: LOCAL_FORGE,
  repo: row.repo,
  number: row.number,
  title: row.title,
  head: row.head,
  base: row.base,
  url: webUrl(row.repo, row.number),
  state: row.state,
  workItem: row.work_item,
  mergedAt: toIsoTimeOrNull(row.merged_at),
});

/** The caller looks up `mergeable`, which needs the repository. */
export const toLocalPrStatus = (
  row: PrRow,
  webUrl: WebUrl,
  more: { reviews: readonly ReviewRow[]; comments: number; mergeable: boolean | null },
): PrStatus => ({
  ...toLocalMapping(row, webUrl),
  body: row.body,
  author: row.author,
  approvals: more.reviews.map(({ author }) => author),
  mergeable: more.mergeable,
  comments: more.comments,
  createdAt: toIsoTime(row.created_at),
});

export const toLocalComment = (row: CommentRow): PrComment => ({
  id: row.id,
  author: row.author,
  body: row.body,
  inReplyTo: row.in_reply_to,
  at: toIsoTime(row.at),
});

/**
 * An event of a pull request. `id` makes it unique among those of its kind, and is the same on a
 * repeat.
 */
export const toLocalEvent = (
  row: PrRow,
  webUrl: WebUrl,
  event: { kind: ProviderEventKind; id: string; author: string; text: string; at: number },
): ProviderEvent => ({
  kind: event.kind,
  forge: LOCAL_FORGE,
  repo: row.repo,
  number: row.number,
  prId: formatLocalPrId(row.repo, row.number),
  author: event.author,
  text: event.text,
  url: webUrl(row.repo, row.number),
  externalId: `${formatLocalPrId(row.repo, row.number)}:${event.kind}:${event.id}`,
  happenedAt: event.at,
});
