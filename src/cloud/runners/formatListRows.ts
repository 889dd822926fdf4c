import { foldText } from '../../base/text/foldText.ts';
import { formatStoredJson } from '../server/formatStoredJson.ts';
import type { ListedJobRow, PlacedRow } from './runnerDirectory.ts';

/** Longest text that searches look in, characters; the runner's own list looks in as many of the request. */
const MAX_SEARCH_CHARS = 2_000;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What `q` looks in. */
function buildSearchText(row: ListedJobRow): string {
  const { id, description, repoSlug, status, workflowPath, phase, reason } = row;
  return foldText(
    [
      id,
      description.slice(0, MAX_SEARCH_CHARS),
      repoSlug ?? '',
      toText(workflowPath),
      toText(phase),
      status,
      toText(reason),
    ].join('\n'),
  );
}

/** Of several rows of one job the last. */
export const pickNewestRows = (rows: readonly PlacedRow[]): PlacedRow[] => [
  ...new Map(rows.map((placedRow) => [placedRow.row.id, placedRow])).values(),
];

/** Rows with the values of their columns in the table `jobs`, as JSON; `n` counts them from 1. */
export const formatListRows = (rows: readonly PlacedRow[]): string =>
  formatStoredJson(
    rows.map(({ row, entry }, index) => ({
      n: index + 1,
      id: row.id,
      summary: row,
      status: row.status,
      type: row.type,
      title: row.description,
      repo: row.repoSlug,
      parent: row.parentJobId,
      needs: row.needs !== null && row.needs !== undefined,
      created: row.createdAt,
      updated: row.updatedAt,
      search: buildSearchText(row),
      entry,
    })),
  );
