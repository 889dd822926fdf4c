import type { RowReader } from '../../contract/records/rowReader.ts';
import type { InvestigationRow, TurnRow } from '../investigationRows.ts';
import type { History, SettledTurn } from './settledTurn.ts';

const BROKEN: ReadonlySet<TurnRow['state']> = new Set(['interrupted', 'failed', 'lost']);
const OVER: ReadonlySet<TurnRow['state']> = new Set(['done', ...BROKEN]);

export const toSettledTurn = ({ n, message, answer, replay, state }: TurnRow): SettledTurn => ({
  n,
  message,
  answer,
  replay,
  broken: BROKEN.has(state),
});

/** The part of a stored conversation that is sent in later turns. */
export const readStoredHistory = (row: InvestigationRow, rows: RowReader): History => ({
  summary: row.summary,
  foldedTo: row.folded_to,
  turns: rows
    .all('investigation_turns', { investigation: row.id })
    .filter(({ n, state }) => n > row.folded_to && OVER.has(state))
    .map(toSettledTurn),
});
