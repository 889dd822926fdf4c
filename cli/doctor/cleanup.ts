import { readdir } from 'node:fs/promises';
import { formatCount } from '../../src/base/text/formatCount.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { type Finding, toOkFinding, toWarningFinding } from './check.ts';

/** Folders of jobs from which on someone should decide how long they are kept. */
const MANY_FOLDERS = 20;

export function diagnoseCleanup({ everyMs }: Settings['retention'], folders: number): Finding {
  if (everyMs !== null) return toOkFinding('on a schedule (retention.every)');
  const count = formatCount(folders, 'folder of a job', 'folders of jobs');
  if (folders < MANY_FOLDERS) return toOkFinding(`only when you run svc gc; ${count}`);
  return toWarningFinding(
    `${count}, and none is removed by itself`,
    'svc config set retention.every 24h   # removes folders 14 days after the end of the job; svc gc --dry-run shows them',
  );
}

/** A working folder that does not exist yet has nothing to clean up. */
export async function checkCleanup({
  retention,
  paths,
}: Pick<Settings, 'retention' | 'paths'>): Promise<Finding> {
  const names = await readdir(paths.workingDir).catch(() => []);
  return diagnoseCleanup(retention, names.length);
}
