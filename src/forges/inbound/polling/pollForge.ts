import type { Kernel } from '../../../contract/records/changes.ts';
import { toErrorMessage, SvcError } from '../../../shared/errors/errors.ts';
import type { Log } from '../../../shared/system/log/log.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { PrAddress, AuthoredEvent } from '../../../contract/forge/forge.ts';
import type { WakeRules } from '../../../contract/forge/wakeRules.ts';
import { mayWake } from '../../../providers/rest/wakeRules.ts';
import type { RowReader } from '../../../kernel/sqlite/jobRowReader.ts';
import { findPrOwner, toOwnerSends } from '../../localForgeService.ts';
import { collectUnheardLines, type UnheardDeps } from '../collectUnheardLines.ts';
import { markRepeatedConflicts } from './markRepeatedConflicts.ts';
import { reportGreenChecks } from './reportGreenChecks.ts';
import { dropOwnDecisions } from './dropOwnDecisions.ts';
import type { PrSight } from './prSight.ts';
import type { PollOutcome } from '../../../../machines/index.ts';

export interface ForgeWatchDeps extends UnheardDeps {
  kernel: Pick<Kernel, 'submit'>;
  rows: RowReader;
  /**
   * Unmerged pull requests of jobs that have not ended which a poll asks about now: one that was
   * closed may be opened again, and merged.
   */
  watched(forge: string): readonly PrAddress[];
  log: Log;
  /** What is seen of them from poll to poll. */
  sight: PrSight;
  /**
   * Whether the job waits, or has just stopped waiting, for something that it named by this kind.
   */
  awaits(jobId: string, kind: ProviderEvent['kind']): boolean;
}

/**
 * Those that jobs are to hear of, in the same order; green checks apart, which only those hear of
 * who ask.
 */
export function selectReportableNews(
  news: readonly AuthoredEvent[],
  rules: WakeRules,
): { events: ProviderEvent[]; passed: ProviderEvent[] } {
  const heard = news.filter((one) => mayWake(one, rules)).map(({ event }) => event);
  return {
    events: heard.filter(({ kind }) => kind !== 'check_passed'),
    passed: heard.filter(({ kind }) => kind === 'check_passed'),
  };
}

/**
 * One poll of a forge: what has happened to the watched pull requests of live jobs goes into their
 * journals, in order for each pull request, once each, whatever was reported before. Only then does
 * the forge stop treating it as new.
 */
export async function pollForge(
  deps: ForgeWatchDeps,
  forge: RemoteForge,
  rules: WakeRules,
): Promise<PollOutcome> {
  const { kernel, rows, log, sight } = deps;
  const prs = deps.watched(forge.id);
  if (prs.length === 0) return { notBefore: null };
  try {
    const batch = await forge.news(prs);
    for (const { pr, why } of sight.findUnreported(forge.id, batch))
      log.warn({ forge: forge.id, pr, error: why }, 'cannot read a pull request');
    const { news, rows: conflicts } = markRepeatedConflicts(rows, forge.id, batch);
    const fresh = dropOwnDecisions(rows, forge, news);
    const heard = selectReportableNews(fresh, rules);
    const unheard = fresh.flatMap((one) => {
      const jobId = findPrOwner(rows, one.event);
      return jobId === null ? [] : [{ jobId, one }];
    });
    const lines = collectUnheardLines(deps, unheard, rules);
    const green = reportGreenChecks(deps, forge, prs, batch, heard.passed);
    const reopened = sight.findReopened(forge, batch, deps.now());
    const events = [...reopened, ...heard.events, ...green.events];
    const changes = [...conflicts, ...green.rows, ...lines.rows];
    const sends = [...toOwnerSends(rows, events), ...sight.afterPoll(forge, batch, deps.now())];
    if (sends.length + changes.length > 0)
      await kernel.submit({ sends, rows: changes, frames: lines.frames });
    batch.delivered();
    const { problem } = batch;
    if (problem) throw problem;
    return { notBefore: null };
  } catch (error) {
    const resetsAt =
      error instanceof SvcError && error.code === 'rate-limited'
        ? Date.parse(String(error.data.resetsAt))
        : Number.NaN;
    log.warn({ forge: forge.id, error: toErrorMessage(error) }, 'cannot poll pull requests');
    const sends = sight.afterFailure(forge, prs, error, deps.now());
    if (sends.length > 0) await kernel.submit({ sends });
    if (Number.isFinite(resetsAt)) return { notBefore: resetsAt };
    throw error;
  }
}
