import { onJobEvent, type JobChange } from './change.ts';
import type { JobContext, PrRef, Signals } from './jobContext.ts';
import { createLogEffect } from './log.ts';
import { toToolAnswerRow, toArtefactFrame, toArtefactRow, toPrRow } from './rows.ts';
import { storeReferenceRows } from './recordChanges.ts';
import { listFollowedNames } from './rules/describeEventWait.ts';
import { shorten } from '../../src/base/text/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/base/limits/jobLimits.ts';
import { resetLoopsAfterItems } from './rules/loops.ts';
import { recordFacts } from './rules/monitors.ts';
import { isPrEnd } from './rules/wakeMatch.ts';
import {
  findCurrentWorkItem,
  replaceWorkItems,
  addPrToWorkItem,
  applyWorkItemUpdate,
} from './rules/workItems.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';
import type { WorkItem } from '../../src/contract/schema/job/workItem.ts';

const setSignals = (signals: Signals, request: Partial<Signals>): { signals: Signals } => ({
  signals: { ...signals, ...request },
});

const toPrRef = ({ prId, forge, repo, number, state, workItem }: PrMapping): PrRef => ({
  prId,
  forge,
  repo,
  number,
  state,
  workItem,
});

const readResultError = ({ error }: Readonly<Record<string, unknown>>): string =>
  shorten(String(error ?? ''), MAX_KEPT_REASON_CHARS);

/** The facts of a write, in terms of rules. A repeated create_pr adds commits. */
function listWriteFacts(operation: string, isNew: boolean): string[] {
  if (operation === 'merge_pr') return ['merge'];
  if (operation !== 'create_pr') return [];
  return isNew ? ['pr.opened', 'push'] : ['push'];
}

const dropWriteKey = ({ writes }: JobContext, key: string | null): string[] =>
  writes.filter((open) => open !== key);

/** Stores the work items and logs the progress. */
const storeWorkItems = (context: JobContext, event: { at: number }, workItems: WorkItem[]) => {
  const current = findCurrentWorkItem({ workItems });
  const closedCount = workItems.filter(
    ({ status }) => status === 'complete' || status === 'escalated',
  ).length;
  const now = current ? `; now ${current.id}: ${current.title}` : '';
  return {
    context: { workItems, ...resetLoopsAfterItems(context, workItems) },
    effects: [
      createLogEffect(
        context,
        event,
        'work-items',
        `${closedCount} of ${workItems.length} closed${now}`,
      ),
    ],
  };
};

export const toolChanges = {
  setWorkItems: onJobEvent(['tool.set_work_items'], (context, event) =>
    storeWorkItems(context, event, replaceWorkItems(context.workItems, event.items)),
  ),
  updateWorkItem: onJobEvent(['tool.update_work_item'], (context, event) =>
    storeWorkItems(context, event, applyWorkItemUpdate(context.workItems, event)),
  ),
  setParams: onJobEvent(['tool.set_job_params'], ({ id, params: old }, event) => {
    const params = { ...old, ...event.params };
    return { context: { params }, effects: storeReferenceRows({ id, params }) };
  }),
  storeCheckout: onJobEvent(['tool.checkout'], ({ params }, { dir, absDir }) => ({
    context: {
      params: { ...params, repoCheckoutDir: dir, repoCheckoutAbsDir: absDir },
    },
  })),

  askEscalation: onJobEvent(['tool.escalate'], ({ signals }, { message }) => ({
    context: setSignals(signals, {
      escalate: { message: shorten(message, MAX_KEPT_REASON_CHARS) },
    }),
  })),
  askAwait: onJobEvent(['tool.await_event'], ({ signals, params }, event) => {
    const { kinds, prId, resumePhase, external } = event;
    const followedNames = listFollowedNames(params, event);
    return {
      context: setSignals(signals, {
        await: {
          kinds,
          prId,
          resumePhase,
          ...(external === undefined ? {} : { external }),
          ...(followedNames.length === 0 ? {} : { followed: followedNames }),
        },
      }),
    };
  }),
  askSwitch: onJobEvent(
    ['tool.switch_workflow'],
    ({ signals }, { workflowPath, workflow, toPhase, reason }) => ({
      context: setSignals(signals, {
        switch: {
          workflowPath,
          workflow,
          toPhase,
          reason: shorten(reason, MAX_KEPT_REASON_CHARS),
          by: 'switch_workflow',
        },
      }),
    }),
  ),
  askGoto: onJobEvent(['tool.goto_phase'], ({ signals }, { phase, reason }) => ({
    context: setSignals(signals, {
      goto: { phase, reason: shorten(reason, MAX_KEPT_REASON_CHARS) },
    }),
  })),
  askNewSession: onJobEvent(
    ['tool.request_new_session'],
    ({ signals, newSessions }, { prompt }) => ({
      context: {
        ...setSignals(signals, { newSession: { prompt } }),
        newSessions: newSessions + 1,
      },
    }),
  ),

  /** A plan is also what a developer sees at the next checkpoint. */
  storeArtefact: onJobEvent(['tool.post_artifact'], (context, event) => ({
    context:
      event.kind === 'plan-md' ? { shown: { artefactId: event.id, sha256: event.sha256 } } : {},
    effects: [
      { type: 'row.put', params: toArtefactRow(context, event) },
      { type: 'frame.add', params: toArtefactFrame(context, event) },
    ],
  })),

  beginWrite: onJobEvent(['tool.forge_write'], ({ writes }, { key }) => ({
    context: { writes: [...writes, key] },
  })),
  /** Keeps the answer for the tool that asked. */
  endWrite: onJobEvent(['forge.wrote'], (context, { key, ok, result }) => ({
    context: { writes: dropWriteKey(context, key) },
    effects: [{ type: 'row.put', params: toToolAnswerRow(context, key, ok, result) }],
  })),
  endGivenUp: onJobEvent(['effect.givenUp'], (context, { key, error, code }) => {
    const result = code === undefined ? { error } : { error, code };
    return {
      context: { writes: dropWriteKey(context, key) },
      effects: [{ type: 'row.put', params: toToolAnswerRow(context, key ?? '', false, result) }],
    };
  }),
  noteUndecided: onJobEvent(['forge.wrote'], ({ signals }, { result }) => ({
    context: setSignals(signals, { escalate: { message: readResultError(result) } }),
  })),
  escalateUndecided: onJobEvent(['forge.wrote'], (_context, { result }) => ({
    context: { escalationMessage: readResultError(result) },
  })),
  /** Only the job's own pull requests: a comment on another job's must not take it over. */
  storePr: onJobEvent(['forge.wrote'], (context, { pr, operation }) => {
    if (!pr) throw new Error('a pull request was written but is missing');
    const { prs, workItems } = context;
    const prRef = prs.find(({ prId }) => prId === pr.prId);
    const item = pr.workItem ?? (prRef ? undefined : findCurrentWorkItem({ workItems })?.id);
    // The answer may be older than a known merge: a finished pull request stays finished.
    const state = prRef && isPrEnd(prRef.state) ? prRef.state : pr.state;
    const storedPr = {
      ...toPrRef(pr),
      state,
      ...(prRef?.blocked ? { blocked: prRef.blocked } : {}),
    };
    return {
      context: {
        prs: prRef ? prs.map((old) => (old === prRef ? storedPr : old)) : [...prs, storedPr],
        workItems: addPrToWorkItem(workItems, item, pr.prId),
        ...recordFacts(context, listWriteFacts(operation, prRef === undefined), pr.prId),
      },
      effects: [{ type: 'row.put', params: toPrRow(context, pr, state) }],
    };
  }),
} satisfies Record<string, JobChange>;
