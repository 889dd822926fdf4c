import { by, type JobChange } from './change.ts';
import type { JobContext, PrRef, Signals } from './jobContext.ts';
import { answerRow, prRow } from './jobRows.ts';
import { shorten } from '../src/domain/clip.ts';
import { MAX_KEPT_REASON_CHARS } from '../src/domain/jobLimits.ts';
import { isOver } from './rules/wakeMatch.ts';
import { currentWorkItem, replaced, withPr, withUpdate } from './rules/workItems.ts';
import type { PrMapping } from '../src/schema/pr.ts';

const signal = (signals: Signals, asked: Partial<Signals>): { signals: Signals } => ({ signals: { ...signals, ...asked } });

const refOf = ({ prId, forge, repo, number, state, workItem }: PrMapping): PrRef => ({
  prId,
  forge,
  repo,
  number,
  state,
  workItem,
});

const errorIn = ({ error }: Readonly<Record<string, unknown>>): string => shorten(String(error ?? ''), MAX_KEPT_REASON_CHARS);

const without = ({ writes }: JobContext, key: string | null): string[] => writes.filter((open) => open !== key);

/** Changes that tools and the forge's answers bring about. */
export const toolChanges = {
  setWorkItems: by(['tool.set_work_items'], ({ workItems }, { items }) => ({
    context: { workItems: replaced(workItems, items) },
  })),
  updateWorkItem: by(['tool.update_work_item'], ({ workItems }, event) => ({
    context: { workItems: withUpdate(workItems, event) },
  })),
  setParams: by(['tool.set_job_params'], ({ params }, event) => ({ context: { params: { ...params, ...event.params } } })),
  storeCheckout: by(['tool.checkout'], ({ params }, { dir, absDir }) => ({
    context: {
      params: { ...params, repoCheckoutDir: dir, repoCheckoutAbsDir: absDir },
    },
  })),

  askEscalation: by(['tool.escalate'], ({ signals }, { message }) => ({
    context: signal(signals, { escalate: { message: shorten(message, MAX_KEPT_REASON_CHARS) } }),
  })),
  askAwait: by(['tool.await_event'], ({ signals }, { kinds, prId, resumePhase, external }) => ({
    context: signal(signals, { await: { kinds, prId, resumePhase, ...(external === undefined ? {} : { external }) } }),
  })),
  askSwitch: by(['tool.switch_workflow'], ({ signals }, { workflowPath, workflow, toPhase, reason }) => ({
    context: signal(signals, {
      switch: { workflowPath, workflow, toPhase, reason: shorten(reason, MAX_KEPT_REASON_CHARS), by: 'switch_workflow' },
    }),
  })),
  askGoto: by(['tool.goto_phase'], ({ signals }, { phase, reason }) => ({
    context: signal(signals, { goto: { phase, reason: shorten(reason, MAX_KEPT_REASON_CHARS) } }),
  })),
  askNewSession: by(['tool.request_new_session'], ({ signals, newSessions }, { prompt }) => ({
    context: {
      ...signal(signals, { newSession: { prompt } }),
      newSessions: newSessions + 1,
    },
  })),

  showPlan: by(['tool.post_artifact'], ({ shown }, { kind, id, sha256 }) => ({
    context: {
      shown: kind === 'plan-md' ? { artefactId: id, sha256 } : shown,
    },
  })),

  beginWrite: by(['tool.forge_write'], ({ writes }, { key }) => ({ context: { writes: [...writes, key] } })),
  /** Keeps the answer for the tool that asked. */
  endWrite: by(['forge.wrote'], (context, { key, ok, result }) => ({
    context: { writes: without(context, key) },
    effects: [{ type: 'row.put', params: answerRow(context, key, ok, result) }],
  })),
  /** The tool that asked is answered that it has failed. */
  endGivenUp: by(['effect.givenUp'], (context, { key, error }) => ({
    context: { writes: without(context, key) },
    effects: [{ type: 'row.put', params: answerRow(context, key ?? '', false, { error }) }],
  })),
  noteUndecided: by(['forge.wrote'], ({ signals }, { result }) => ({
    context: signal(signals, { escalate: { message: errorIn(result) } }),
  })),
  escalateUndecided: by(['forge.wrote'], (_context, { result }) => ({ context: { escalationMessage: errorIn(result) } })),
  /** Only for pull requests that are the job's own: a comment on another job's must not take it over. */
  storePr: by(['forge.wrote'], (context, { pr }) => {
    if (!pr) throw new Error('a pull request was written but is missing');
    const { prs, workItems } = context;
    const known = prs.find(({ prId }) => prId === pr.prId);
    const item = pr.workItem ?? (known ? undefined : currentWorkItem({ workItems })?.id);
    // The answer may have been given just before the merge that we know of: a pull request that is over stays over.
    const state = known && isOver(known.state) ? known.state : pr.state;
    const stored = { ...refOf(pr), state };
    return {
      context: {
        prs: known ? prs.map((old) => (old === known ? stored : old)) : [...prs, stored],
        workItems: withPr(workItems, item, pr.prId),
      },
      effects: [{ type: 'row.put', params: prRow(context, pr, state) }],
    };
  }),
} satisfies Record<string, JobChange>;
