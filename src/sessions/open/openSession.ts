import type { JobAnswer, LeftoverItems } from '../../../machines/index.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { Port } from '../../kernel/port.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { SessionResult } from '../../contract/session/executor.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { findPhaseAccount } from '../../policy/quota/findPhaseAccount.ts';
import { type QuotaSessionEnd, QuotaSession } from '../limits/quotaSession.ts';
import type { Stop } from '../../policy/budgets/budgetDeps.ts';
import { SessionBudget } from '../limits/sessionBudget.ts';
import { checkEndOfPhase } from './createSessionGuard.ts';
import { SessionDeadline } from '../limits/sessionDeadline.ts';
import { SessionDisk } from '../limits/sessionDisk.ts';
import type { ObservedWork } from '../limits/observeWork.ts';
import type { OpenSessionDeps, OpenParams } from './openSessionDeps.ts';
import { CUT, runBoundedSession } from './playSession.ts';

/**
 * `session.open`: runs one agent session of a phase visit to its end. After a crash it starts again
 * with the same prompts; its tool calls find the recorded answers.
 */
export const openSession = (deps: OpenSessionDeps): Port<OpenParams, Tables> => {
  const { sessions } = deps;

  const endSession = (
    { visit, session }: OpenParams,
    { stopReason, error, fault = 'unknown', usage }: SessionResult,
    limit: QuotaSessionEnd['limit'] = {},
    leftoverItems: LeftoverItems | null = null,
    stop: Stop | null = null,
    disk: string | null = null,
    observedWork: ObservedWork = {},
  ): JobAnswer => ({
    type: 'session.ended',
    visit,
    session,
    stopReason,
    error,
    ...(stopReason === 'error' ? { fault } : {}),
    usage,
    ...limit,
    ...(leftoverItems === null ? {} : { left: leftoverItems }),
    ...observedWork,
    ...(stop?.exceeded && stopReason === 'interrupted' ? { budget: stop.exceeded } : {}),
    ...(disk !== null && stopReason === 'interrupted' ? { disk } : {}),
  });

  return async (params, run) => {
    const jobId = run.actorId;
    const { visit, session } = params;
    const ref: SessionRef = { jobId, phase: params.phase.name, visit, session };
    if (!deps.isCurrent(ref)) {
      return { events: [endSession(params, CUT)] };
    }
    const quota = new QuotaSession(
      deps.quota,
      findPhaseAccount(deps, params.phase),
      jobId,
      deps.readContext(jobId),
    );
    const deadline = new SessionDeadline(deps.readContext(jobId), deps.clock);
    const budget = new SessionBudget(jobId, {
      budgets: deps.budgets,
      clock: deps.clock,
      warn: (line) => deps.log(ref, [{ from: 'runner', tag: 'budget', line }]),
      graceMs: deps.settings.runner.stopGraceSeconds * 1000,
    });
    const disk = new SessionDisk(deps.disk, deps.clock);
    const mayBegin =
      !deadline.isOver &&
      (await disk.begins()) &&
      (await budget.begins()) &&
      // A stop that was requested meanwhile has found no session to end.
      deps.isCurrent(ref);
    if (!mayBegin) {
      deadline.end();
      disk.end();
      return { events: [endSession(params, CUT, {}, null, budget.stop, disk.reason)] };
    }
    const entry = sessions.enter(ref);
    const over = new AbortController();
    try {
      await quota.enter();
      const refusal = quota.refusal(session);
      if (refusal !== null)
        return {
          events: [endSession(params, { stopReason: 'quota', error: null, usage: null }, refusal)],
        };
      const lineCount = deps.lastOutputs.lineCount(jobId);
      const { result, read, left, rows, seen } = await runBoundedSession(
        deps,
        { ref, params, run },
        { entered: entry, budget, quota, deadline, disk },
        over.signal,
      );
      // The runner's stop interrupted the session, so it runs again at the next start.
      if (run.signal.aborted)
        throw new SvcError('stopping', 'the runner stopped during the session');
      const error = result.error === null ? null : deps.screen(result.error);
      // The end comes after what was read: the next kickoff contains the rest.
      const isCut =
        quota.cut.aborted &&
        budget.stop === null &&
        !entry.endAsked.aborted &&
        !deadline.cut.aborted &&
        !disk.cut.aborted;
      if (isCut && result.stopReason === 'interrupted') {
        const cut = { ...result, stopReason: 'quota' as const, error };
        return {
          sends: [
            ...read,
            { to: jobId, event: endSession(params, cut, quota.endByAccount(), left) },
          ],
          rows,
        };
      }
      const { limit, sends, stopReason, warning } = quota.end({ ...result, error });
      if (warning !== null)
        await deps.log(ref, [{ from: 'runner', tag: 'no-progress', line: warning }]);
      const end = { ...result, stopReason, error };
      const { exitCode } = result;
      const endCheck = await checkEndOfPhase(deps, ref, end);
      const event = endSession(params, end, limit, left, budget.stop, disk.reason, {
        ...seen,
        ...endCheck,
      });
      const passes = deps.guardrails.decisions.takePasses();
      const output = deps.lastOutputs.changesAtEnd(ref, { stopReason, exitCode }, lineCount);
      return {
        sends: [...read, ...sends, { to: jobId, event }],
        rows: [...rows, ...passes, ...output],
      };
    } finally {
      budget.end();
      deadline.end();
      disk.end();
      over.abort();
      entry.leave();
    }
  };
};
