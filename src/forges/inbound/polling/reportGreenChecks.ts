import type { RowChange } from '../../../contract/records/changes.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';
import type { NewsBatch, PrAddress } from '../../../contract/forge/forge.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import { findPrOwner } from '../../localForgeService.ts';

const TABLE = 'pr_checks';

type ChecksRow = Tables[typeof TABLE];

interface GreenChecksDeps {
  rows: RowReader;
  /** Whether the job waits, or has just stopped waiting, for an event of this kind. */
  awaits(jobId: string, kind: ProviderEvent['kind']): boolean;
  now(): number;
}

/**
 * Reports that checks are green once each time they become so, and only to a job that has asked for
 * it by name: until then the news is kept as a row, and reported when its job waits for it. The
 * rows are to be committed with the reported events.
 */
export function reportGreenChecks(
  { rows, awaits, now }: GreenChecksDeps,
  forge: { id: string; consistencyMs: number },
  watchedPrs: readonly PrAddress[],
  { notGreen = [] }: Pick<NewsBatch, 'notGreen'>,
  wakingEvents: readonly ProviderEvent[],
): { events: ProviderEvent[]; rows: RowChange<typeof TABLE>[] } {
  const rowsByPr = new Map<string, ChecksRow>();
  const changedKeys = new Set<string>();
  const toAddressKey = ({ repo, number }: PrAddress) => `${repo.toLowerCase()}#${number}`;
  const findRow = (pr: PrAddress): ChecksRow | undefined =>
    rowsByPr.get(toAddressKey(pr)) ??
    rows.all(TABLE, { forge: forge.id, repo: pr.repo, number: pr.number })[0];
  const putRow = (row: ChecksRow): void => {
    rowsByPr.set(toAddressKey(row), row);
    changedKeys.add(toAddressKey(row));
  };
  for (const pr of notGreen) {
    const row = findRow(pr);
    if (row?.green === 1) putRow({ ...row, green: 0 });
  }
  for (const event of wakingEvents) {
    const { repo, number, externalId: cause } = event;
    const before = findRow(event);
    if (before?.cause === cause && before.green === 1) continue;
    const round = before?.cause === cause ? before.round + 1 : 1;
    const externalId = round === 1 ? cause : `${cause}:${round}`;
    putRow({
      forge: forge.id,
      repo,
      number,
      cause,
      round,
      green: 1,
      told: 0,
      event: JSON.stringify({ ...event, externalId }),
    });
  }
  const events: ProviderEvent[] = [];
  for (const pr of watchedPrs) {
    const row = findRow(pr);
    const owner = row && row.green === 1 && row.told === 0 ? findPrOwner(rows, row) : null;
    if (!row || owner === null || !awaits(owner, 'check_passed')) continue;
    // What the forge shows may be older than the commit that the job has just pushed.
    if (now() - findLastPushTime(rows, owner, forge.id) < forge.consistencyMs) continue;
    putRow({ ...row, told: 1 });
    events.push(JSON.parse(row.event) as ProviderEvent);
  }
  return {
    events,
    rows: [...changedKeys].flatMap((key): RowChange<typeof TABLE>[] =>
      toChecksRowPut(rowsByPr.get(key)),
    ),
  };
}

const toChecksRowPut = (row: ChecksRow | undefined): RowChange<typeof TABLE>[] =>
  row ? [{ op: 'put', table: TABLE, row }] : [];

/** When the job last brought a branch to the forge, epoch ms; 0 = it did not. */
function findLastPushTime(rows: RowReader, jobId: string, forge: string): number {
  const where = { job_id: jobId, forge, operation: 'create_pr' };
  return rows.all('forge_writes', where, { order: 'at', desc: true, limit: 1 })[0]?.at ?? 0;
}
