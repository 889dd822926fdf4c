import type { Kernel, RowChange } from '../../../contract/records/changes.ts';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { ProviderEvent } from '../../../contract/schema/forge/pr.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { PrAddress, AuthoredEvent, NewsBatch } from '../../../contract/forge/forge.ts';
import type { WakeRules } from '../../../contract/forge/hook.ts';
import { mayWake } from '../../../providers/rest/wakeRules.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import { findPrOwner, toOwnerSends } from '../../localForgeService.ts';
import { collectUnheardLines, type UnheardDeps } from '../collectUnheardLines.ts';
import { reportGreenChecks } from './reportGreenChecks.ts';
import { dropOwnDecisions } from './dropOwnDecisions.ts';
import type { PrSight } from './prSight.ts';
import type { PollOutcome } from '../../../../machines/index.ts';
import type { Tables } from '../../../contract/records/tables.ts';

const TABLE = 'pr_conflicts';

/**
 * Tells a conflict that has come back from one that has lasted. A commit that conflicts, is
 * mergeable again because the base moved, and then conflicts once more, is reported twice; a base
 * that moves while the conflict lasts is not news. The rows are to be committed with the events.
 */
function markRepeatedConflicts(
  rows: RowReader,
  forge: string,
  { news, mergeable = [] }: Pick<NewsBatch, 'news' | 'mergeable'>,
): { news: AuthoredEvent[]; rows: RowChange<typeof TABLE>[] } {
  const changes: RowChange<typeof TABLE>[] = [];
  const putRow = (row: Tables[typeof TABLE]) => void changes.push({ op: 'put', table: TABLE, row });
  const findRow = ({ repo, number }: { repo: string; number: number }) =>
    rows.all(TABLE, { forge, repo, number })[0];
  for (const pr of mergeable) {
    const row = findRow(pr);
    if (row?.over === 0) putRow({ ...row, over: 1 });
  }
  const notifiedNews = news.map((one) => {
    if (one.event.kind !== 'conflict') return one;
    const { repo, number, externalId: cause } = one.event;
    const before = findRow(one.event);
    const lasts = before?.cause === cause && before.over === 0;
    const round = before?.cause !== cause ? 1 : before.round + (lasts ? 0 : 1);
    if (!lasts) putRow({ forge, repo, number, cause, round, over: 0 });
    return round === 1 ? one : { ...one, event: { ...one.event, externalId: `${cause}:${round}` } };
  });
  return { news: notifiedNews, rows: changes };
}

export interface ForgeWatchDeps extends UnheardDeps {
  kernel: Pick<Kernel, 'submit'>;
  rows: RowReader;
  /**
   * Unmerged pull requests of live jobs that this poll asks about. Closed ones are included: they
   * may be reopened and merged.
   */
  listWatched(forge: string): readonly PrAddress[];
  log: Log;
  sight: PrSight;
  /** Whether the job waits, or has just stopped waiting, for an event of this kind. */
  awaits(jobId: string, kind: ProviderEvent['kind']): boolean;
}

/**
 * The news that jobs are to hear of, in the same order. Green checks are handled apart, since only
 * jobs that ask for them hear of them.
 */
export function selectReportableNews(
  news: readonly AuthoredEvent[],
  rules: WakeRules,
): { events: ProviderEvent[]; passed: ProviderEvent[] } {
  const wakingEvents = news.filter((one) => mayWake(one, rules)).map(({ event }) => event);
  return {
    events: wakingEvents.filter(({ kind }) => kind !== 'check_passed'),
    passed: wakingEvents.filter(({ kind }) => kind === 'check_passed'),
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
  const prs = deps.listWatched(forge.id);
  if (prs.length === 0) return { notBefore: null };
  try {
    const batch = await forge.news(prs);
    for (const { pr, why } of sight.findUnreported(forge.id, batch))
      log.warn({ forge: forge.id, pr, error: why }, 'cannot read a pull request');
    const { news, rows: conflicts } = markRepeatedConflicts(rows, forge.id, batch);
    const fresh = dropOwnDecisions(rows, forge, news);
    const reportable = selectReportableNews(fresh, rules);
    const unheard = fresh.flatMap((one) => {
      const jobId = findPrOwner(rows, one.event);
      return jobId === null ? [] : [{ jobId, one }];
    });
    const lines = collectUnheardLines(deps, unheard, rules);
    const green = reportGreenChecks(deps, forge, prs, batch, reportable.passed);
    const reopenedEvents = sight.findReopened(forge, batch, deps.now());
    const events = [...reopenedEvents, ...reportable.events, ...green.events];
    const changes = [...conflicts, ...green.rows, ...lines.rows];
    const sends = [
      ...toOwnerSends(rows, events),
      ...sight.noteAnsweredPoll(forge, batch, deps.now()),
    ];
    if (sends.length + changes.length > 0)
      await kernel.submit({ sends, rows: changes, frames: lines.frames });
    batch.confirmStored();
    const { problem } = batch;
    if (problem) throw problem;
    return { notBefore: null };
  } catch (error) {
    const resetsAt =
      error instanceof SvcError && error.code === 'rate-limited'
        ? Date.parse(String(error.data.resetsAt))
        : Number.NaN;
    log.warn({ forge: forge.id, error: toErrorMessage(error) }, 'cannot poll pull requests');
    const sends = sight.noteFailedPoll(forge, prs, error, deps.now());
    if (sends.length > 0) await kernel.submit({ sends });
    if (Number.isFinite(resetsAt)) return { notBefore: resetsAt };
    throw error;
  }
}
