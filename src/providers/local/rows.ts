import type { RowSource } from '../../contract/forge/builtInForge.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Tables } from '../../contract/records/tables.ts';

export type PrRow = Tables['forge_prs'];
export type CommentRow = Tables['forge_comments'];
export type ReviewRow = Tables['forge_reviews'];

/** The place of a comment that is not on code. */
export const NO_PLACE = {
  path: null,
  line: null,
  start_line: null,
  side: null,
  commit_hash: null,
  resolved_at: null,
  resolved_by: null,
} as const;

/** The pull request; throws `not-found` when none has this number. */
export function readPrRow(rows: RowSource, repo: string, number: number): PrRow {
  const row = rows.one('forge_prs', { repo, number });
  if (row) return row;
  const newestPr = rows.all('forge_prs', { repo }, { order: 'number', desc: true, limit: 1 })[0];
  throw new SvcError(
    'not-found',
    `${repo} has no pull request #${number}${newestPr ? `: the newest is #${newestPr.number}` : ', nor any other'}.`,
  );
}
