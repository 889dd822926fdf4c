import { by, type JobChange } from './change.ts';
import type { JobContext, PrRef, Signals } from './jobContext.ts';
import { line } from './log.ts';
import { answerRow, artefactFrame, artefactRow, prRow } from './rows.ts';
import { referencePuts } from './recordChanges.ts';
import { followedBy } from './rules/awaitedText.ts';
import { shorten } from '../../src/domain/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../../src/domain/jobLimits.ts';
import { lapsAfterItems } from './rules/laps.ts';
import { happened } from './rules/monitors.ts';
import { isOver } from './rules/wakeMatch.ts';
import { currentWorkItem, replaced, withPr, withUpdate } from './rules/workItems.ts';
import type { PrMapping } from '../../src/schema/pr.ts';
import type { WorkItem } from '../../src/schema/workItem.ts';

const signal = (signals: Signals, asked: Partial<Signals>): { signals: Signals } => ({
  signals: { ...signals, ...asked },
});

const refOf = ({ prId, forge, repo, number, state, workItem }: PrMapping): PrRef => ({
  prId,
  forge,
  repo,
  number,
  state,
  workItem,
});

const errorIn = ({ error }: Readonly<Record<string, unknown>>): string =>
  shorten(String(error ?? ''), MAX_KEPT_REASON_CHARS);

/** What a write has brought about, in the words of rules. A repeat of create_pr brings commits. */
function writeFacts(operation: string, isNew: boolean): string[] {
  if (operation === 'merge_pr') return ['merge'];
  if (operation !== 'create_pr') return [];
  return isNew ? ['pr.opened', 'push'] : ['push'];
}

const without = ({ writes }: JobContext, key: string | null): string[] =>
  writes.filter((open) => open !== key);

/** The log says how far the work has come. */
const workItemsChanged = (context: JobContext, event: { at: number }, workItems: WorkItem[]) => {
  const current = currentWorkItem({ workItems });
  const closed = workItems.filter(
    ({ status }) => status === 'complete' || status === 'escalated',
  ).length;
  const now = current ? `; now ${current.id}: ${current.title}` : '';
  return {
    context: { workItems, ...lapsAfterItems(context, workItems) },
    effects: [line(context, event, 'work-items', `${closed} of ${workItems.length} closed${now}`)],
  };
};

/** Changes that tools and the forge's answers bring about. */
export const toolChanges = {
  setWorkItems: by(['tool.set_work_items'], (context, event) =>
    workItemsChanged(context, event, replaced(context.workItems, event.items)),
  ),
  updateWorkItem: by(['tool.update_work_item'], (context, event) =>
    workItemsChanged(context, event, withUpdate(context.workItems, event)),
  ),
  setParams: by(['tool.set_job_params'], ({ id, params: old }, event) => {
    const params = { ...old, ...event.params };
    return { context: { params }, effects: referencePuts({ id, params }) };
  }),
  storeCheckout: by(['tool.checkout'], ({ params }, { dir, absDir }) => ({
    context: {
      params: { ...params, repoCheckoutDir: dir, repoCheckoutAbsDir: absDir },
    },
  })),

  askEscalation: by(['tool.escalate'], ({ signals }, { message }) => ({
    context: signal(signals, { escalate: { message: shorten(message, MAX_KEPT_REASON_CHARS) } }),
  })),
  askAwait: by(['tool.await_event'], ({ signals, params }, event) => {
    const { kinds, prId, resumePhase, external } = event;
    const followed = followedBy(params, event);
    return {
      context: signal(signals, {
        await: {
          kinds,
          prId,
          resumePhase,
          ...(external === undefined ? {} : { external }),
          ...(followed.length === 0 ? {} : { followed }),
        },
      }),
    };
  }),
  askSwitch: by(
    ['tool.switch_workflow'],
    ({ signals }, { workflowPath, workflow, toPhase, reason }) => ({
      context: signal(signals, {
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
  askGoto: by(['tool.goto_phase'], ({ signals }, { phase, reason }) => ({
    context: signal(signals, { goto: { phase, reason: shorten(reason, MAX_KEPT_REASON_CHARS) } }),
  })),
  askNewSession: by(['tool.request_new_session'], ({ signals, newSessions }, { prompt }) => ({
    context: {
      ...signal(signals, { newSession: { prompt } }),
      newSessions: newSessions + 1,
    },
  })),

  /** A plan is also what a developer is shown at the next checkpoint. */
  storeArtefact: by(['tool.post_artifact'], (context, event) => ({
    context:
      event.kind === 'plan-md' ? { shown: { artefactId: event.id, sha256: event.sha256 } } : {},
    effects: [
      { type: 'row.put', params: artefactRow(context, event) },
      { type: 'frame.add', params: artefactFrame(context, event) },
    ],
  })),

  beginWrite: by(['tool.forge_write'], ({ writes }, { key }) => ({
    context: { writes: [...writes, key] },
  })),
  /** Keeps the answer for the tool that asked. */
  endWrite: by(['forge.wrote'], (context, { key, ok, result }) => ({
    context: { writes: without(context, key) },
    effects: [{ type: 'row.put', params: answerRow(context, key, ok, result) }],
  })),
  /** The tool that asked is answered that it has failed. */
  endGivenUp: by(['effect.givenUp'], (context, { key, error, code }) => {
    const result = code === undefined ? { error } : { error, code };
    return {
      context: { writes: without(context, key) },
      effects: [{ type: 'row.put', params: answerRow(context, key ?? '', false, result) }],
    };
  }),
  noteUndecided: by(['forge.wrote'], ({ signals }, { result }) => ({
    context: signal(signals, { escalate: { message: errorIn(result) } }),
  })),
  escalateUndecided: by(['forge.wrote'], (_context, { result }) => ({
    context: { escalationMessage: errorIn(result) },
  })),
  /**
   * Only for pull requests that are the job's own: a comment on another job's must not take it
   * over.
   */
  storePr: by(['forge.wrote'], (context, { pr, operation }) => {
    if (!pr) throw new Error('a pull request was written but is missing');
    const { prs, workItems } = context;
    const known = prs.find(({ prId }) => prId === pr.prId);
    const item = pr.workItem ?? (known ? undefined : currentWorkItem({ workItems })?.id);
    // The answer may have been given just before the merge that we know of: a pull request that is
    // over stays over.
    const state = known && isOver(known.state) ? known.state : pr.state;
    const stored = {
      ...refOf(pr),
      state,
      ...(known?.blocked ? { blocked: known.blocked } : {}),
    };
    return {
      context: {
        prs: known ? prs.map((old) => (old === known ? stored : old)) : [...prs, stored],
        workItems: withPr(workItems, item, pr.prId),
        ...happened(context, writeFacts(operation, known === undefined), pr.prId),
      },
      effects: [{ type: 'row.put', params: prRow(context, pr, state) }],
    };
  }),
} satisfies Record<string, JobChange>;
