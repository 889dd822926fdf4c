import type { Kernel } from '../../durable/contract.ts';
import { messageOf, SvcError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { PrEvent } from '../../schema/pr.ts';
import type { Forge, PrAddress, PrNews } from '../../scm/forge.ts';
import { mayWake, type WakeRules } from '../../scm/wakeRules.ts';
import type { RowReader } from '../../store/rowReader.ts';
import { sendsOf } from '../forgeDesk.ts';
import { withConflictRounds } from './conflicts.ts';
import type { PollOutcome } from '../../../machines/index.ts';

export interface ForgeWatchDeps {
  kernel: Pick<Kernel, 'submit'>;
  rows: RowReader;
  /** Whether the job could still use what it hears. */
  isLive(jobId: string): boolean;
  log: Log;
}

interface MappingRow {
  repo: string;
  number: number;
  job_id: string;
}

/** Unmerged pull requests of jobs that have not ended: one that was closed may be opened again, and merged. */
export const watched = ({ rows, isLive }: Pick<ForgeWatchDeps, 'rows' | 'isLive'>, forge: string): PrAddress[] =>
  ['open', 'closed']
    .flatMap((state) => rows.all<MappingRow>('pr_mappings', { state, forge }))
    .filter(({ job_id: jobId }) => isLive(jobId))
    .map(({ repo, number }) => ({ repo, number }));

/** That checks pass is news only to a job that was told of a failure. */
const isWorthIt = (rows: RowReader, { kind, prId }: PrEvent, told: readonly PrEvent[]): boolean => {
  if (kind !== 'check_passed') return true;
  if (told.some((event) => event.prId === prId && event.kind === 'check_failed')) return true;
  return rows.count('inbox_items', { pr_id: prId, kind: 'event:check_failed' }) > 0;
};

/** Those that jobs are to hear of, in the same order. */
export function toBeTold(rows: RowReader, news: readonly PrNews[], rules: WakeRules): PrEvent[] {
  const told: PrEvent[] = [];
  for (const one of news) if (mayWake(one, rules) && isWorthIt(rows, one.event, told)) told.push(one.event);
  return told;
}

/**
 * One poll of a forge: what has happened to the open pull requests of all live jobs goes into their journals, in order for each
 * pull request, once each, whatever was told before. Only then does the forge forget that it is new.
 */
export async function pollForge(deps: ForgeWatchDeps, forge: Forge, rules: WakeRules): Promise<PollOutcome> {
  const { kernel, rows, log } = deps;
  try {
    const prs = watched(deps, forge.id);
    if (prs.length === 0) return { notBefore: null };
    const batch = await forge.news(prs);
    const { news, rows: changes } = withConflictRounds(rows, forge.id, batch);
    const events = toBeTold(rows, news, rules);
    if (events.length + changes.length > 0) await kernel.submit({ sends: sendsOf(rows, events), rows: changes });
    batch.delivered();
    const { problem } = batch;
    if (problem) throw problem;
    return { notBefore: null };
  } catch (error) {
    const resetsAt =
      error instanceof SvcError && error.code === 'rate-limited' ? Date.parse(String(error.data.resetsAt)) : Number.NaN;
    log.warn({ forge: forge.id, error: messageOf(error) }, 'pull requests could not be asked after');
    if (Number.isFinite(resetsAt)) return { notBefore: resetsAt };
    throw error;
  }
}
