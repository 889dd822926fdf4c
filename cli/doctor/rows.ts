import { existsSync } from 'node:fs';
import type { Client } from '../../src/api/client/client.ts';
import { inspectRows } from '../../src/jobs/store/repair/inspectRows.ts';
import { loadActorInspection } from '../local/start/runnerModule.ts';
import { type Finding, toErrorFinding, toOkFinding, toSkippedFinding } from './check.ts';

const NAMED = 10;
const FIX = 'svc doctor --fix copies state.db and repairs it, while the runner is stopped.';

export function diagnoseRows(texts: readonly string[]): Finding {
  if (texts.length === 0) return toOkFinding('all rows of the state are readable');
  const more = texts.length > NAMED ? `; and ${texts.length - NAMED} more` : '';
  return toErrorFinding(
    `${texts.length} ${texts.length === 1 ? 'row' : 'rows'} of the state cannot be read, or hold counts that no call can have: ${texts.slice(0, NAMED).join('; ')}${more}`,
    FIX,
  );
}

async function checkMetRows(client: Client): Promise<Finding> {
  const lines = [
    ...(await client.metrics()).matchAll(/^svc_broken_rows\{table="(\w+)"\} (\d+)$/gm),
  ];
  const tables = lines.filter(([, , count]) => Number(count) > 0);
  if (tables.length === 0) return toOkFinding('the runner has found no unreadable row');
  const tableList = tables.map(([, table, count]) => `${table}: ${count}`).join(', ');
  return toErrorFinding(
    `the runner has found unreadable rows (${tableList}); its log lists them`,
    FIX,
  );
}

/** `client`: of the runner that has the state; null = none answers. */
export async function checkRows(
  file: string,
  now: number,
  client: Client | null,
): Promise<Finding> {
  if (client !== null) return checkMetRows(client);
  if (!existsSync(file)) return toOkFinding('no state exists yet');
  const inspection = inspectRows(file, now, await loadActorInspection());
  return 'problem' in inspection
    ? toSkippedFinding(`the state cannot be read now: ${inspection.problem}`)
    : diagnoseRows(inspection.planned.map(({ table, id, reason }) => `${table} ${id} (${reason})`));
}
