import type { RowChange } from '../../durable/chart.ts';
import type { NewsBatch, AuthoredEvent } from '../../contract/forge.ts';
import type { RowReader } from '../../store/rowReader.ts';

const TABLE = 'pr_conflicts';

interface ConflictRow {
  forge: string;
  repo: string;
  number: number;
  /** Id under which the forge tells of it: the same for as long as the branch stands at the same commit. */
  cause: string;
  /** From 1 on: how often this commit has come into conflict. */
  round: number;
  /** 1: it has been seen to be mergeable since. */
  over: number;
}

/**
 * Tells a conflict that has come back from one that has lasted. A commit that conflicts, is mergeable again because the base
 * moved, and then conflicts once more, is told twice; a base that moves on while it conflicts is not news. The rows are to be
 * committed with what is told.
 */
export function withConflictRounds(
  rows: RowReader,
  forge: string,
  { news, mergeable = [] }: Pick<NewsBatch, 'news' | 'mergeable'>,
): { news: AuthoredEvent[]; rows: RowChange[] } {
  const changes: RowChange[] = [];
  const put = (row: ConflictRow) => void changes.push({ op: 'put', table: TABLE, row: { ...row } });
  const known = ({ repo, number }: { repo: string; number: number }) => rows.one<ConflictRow>(TABLE, { forge, repo, number });
  for (const pr of mergeable) {
    const row = known(pr);
    if (row?.over === 0) put({ ...row, over: 1 });
  }
  const told = news.map((one) => {
    if (one.event.kind !== 'conflict') return one;
    const { repo, number, externalId: cause } = one.event;
    const before = known(one.event);
    const lasts = before?.cause === cause && before.over === 0;
    const round = before?.cause !== cause ? 1 : before.round + (lasts ? 0 : 1);
    if (!lasts) put({ forge, repo, number, cause, round, over: 0 });
    return round === 1 ? one : { ...one, event: { ...one.event, externalId: `${cause}:${round}` } };
  });
  return { news: told, rows: changes };
}
