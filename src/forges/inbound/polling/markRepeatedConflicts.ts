import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { NewsBatch, AuthoredEvent } from '../../../contract/forge/forge.ts';
import type { RowReader } from '../../../kernel/sqlite/jobRowReader.ts';

const TABLE = 'pr_conflicts';

/**
 * Tells a conflict that has come back from one that has lasted. A commit that conflicts, is
 * mergeable again because the base moved, and then conflicts once more, is reported twice; a base
 * that moves while the conflict lasts is not news. The rows are to be committed with the events.
 */
export function markRepeatedConflicts(
  rows: RowReader,
  forge: string,
  { news, mergeable = [] }: Pick<NewsBatch, 'news' | 'mergeable'>,
): { news: AuthoredEvent[]; rows: RowChange<typeof TABLE>[] } {
  const changes: RowChange<typeof TABLE>[] = [];
  const put = (row: Tables[typeof TABLE]) => void changes.push({ op: 'put', table: TABLE, row });
  const known = ({ repo, number }: { repo: string; number: number }) =>
    rows.all(TABLE, { forge, repo, number })[0];
  for (const pr of mergeable) {
    const row = known(pr);
    if (row?.over === 0) put({ ...row, over: 1 });
  }
  const notified = news.map((one) => {
    if (one.event.kind !== 'conflict') return one;
    const { repo, number, externalId: cause } = one.event;
    const before = known(one.event);
    const lasts = before?.cause === cause && before.over === 0;
    const round = before?.cause !== cause ? 1 : before.round + (lasts ? 0 : 1);
    if (!lasts) put({ forge, repo, number, cause, round, over: 0 });
    return round === 1 ? one : { ...one, event: { ...one.event, externalId: `${cause}:${round}` } };
  });
  return { news: notified, rows: changes };
}
