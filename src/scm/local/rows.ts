import type { RowSource } from '../../contract/rowSource.ts';
import { SvcError } from '../../lib/errors.ts';
import type { PrState } from '../../schema/pr.ts';

/** Row of `forge_prs`. Times are epoch ms. A type, not an interface, so that it is also a Record of columns. */
export type PrRow = {
  repo: string;
  number: number;
  /** The operation that created it. */
  operation_id: string;
  title: string;
  body: string;
  head: string;
  base: string;
  author: string;
  state: PrState;
  work_item: string | null;
  created_at: number;
  merged_at: number | null;
  merge_commit: string | null;
  merged_by: string | null;
  merge_operation_id: string | null;
};

/** Row of `forge_comments`. */
export type CommentRow = {
  repo: string;
  number: number;
  id: string;
  operation_id: string;
  author: string;
  body: string;
  in_reply_to: string | null;
  at: number;
};

/** Row of `forge_reviews`: an approval. */
export type ReviewRow = {
  repo: string;
  number: number;
  author: string;
  operation_id: string;
  at: number;
  /** Commit that was approved; null in rows of older homes, whose approval counts for no particular commit. */
  commit_hash: string | null;
};

/** The pull request; throws `not-found` when there is none of this number. */
export function pullRequestRow(rows: RowSource, repo: string, number: number): PrRow {
  const row = rows.one<PrRow>('forge_prs', { repo, number });
  if (row) return row;
  const known = rows.all<PrRow>('forge_prs', { repo }, { order: 'number', desc: true, limit: 1 })[0];
  throw new SvcError(
    'not-found',
    `${repo} has no pull request #${number}${known ? `: the newest is #${known.number}` : ', nor any other'}.`,
  );
}
