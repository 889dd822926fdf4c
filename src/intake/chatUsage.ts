import type { Ledger } from '../policy/usage/ledger.ts';
import { toChatSubject } from '../policy/usage/usagePlace.ts';
import type { UsageRecorder } from '../policy/usage/usageRecorder.ts';
import type { RowReader } from '../contract/records/rowReader.ts';
import type { InvestigationRow } from './investigationRows.ts';
import type { AskedTurn } from './liveTurn.ts';

export function openChatUsage(
  ledger: Pick<Ledger, 'open'>,
  { id, repo }: Pick<InvestigationRow, 'id' | 'repo'>,
  { n, executor }: Pick<AskedTurn, 'n' | 'executor'>,
): UsageRecorder {
  const subject = toChatSubject(id);
  const { provider } = executor.llm;
  const place = { subject, root: subject, visit: n, session: 1, phase: 'chat', workflow: null };
  return ledger.open({ ...place, repository: repo, provider }, executor.billing);
}

/** The known cost of a chat, millionths of a dollar. */
export const readChatSpending = (rows: Pick<RowReader, 'all'>, id: string): number =>
  rows.all('usage_sums', { scope: 'job', key: toChatSubject(id), window: '' })[0]?.micro_usd ?? 0;
