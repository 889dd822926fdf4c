import type { JobAnswer, LeftoverItems } from '../../../machines/index.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { Port } from '../../kernel/port.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { SessionResult } from '../../contract/session/executor.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { findJobForge, readJobRepo } from '../../providers/forges.ts';
import { findJobTracker } from '../../providers/trackers.ts';
import type { OpenedSandbox } from '../../executors/sandbox/sandboxes.ts';
import { resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { EnteredSession } from './liveSessions.ts';
import type { PlayedSession } from '../steering/steeredRun.ts';
import { resolvePhaseRules } from '../../jobs/workspace/resolvePhaseRules.ts';
import { findPhaseAccount } from '../../policy/quota/findPhaseAccount.ts';
import { pickCallNumber, requireChosenExecutor } from './requireChosenExecutor.ts';
import {
  CutShort,
  type ExternalServers,
  MissingServers,
  openExternalServers,
} from './externalServers.ts';
import { isHindrance, toSessionFault } from './hindrance.ts';
import {
  formatSessionChoice,
  formatRestartLine,
  formatStaleLockLine,
} from '../brief/openingLines.ts';
import { type QuotaSessionEnd, QuotaSession } from '../limits/quotaSession.ts';
import { buildSessionRequest } from './sessionRequest.ts';
import type { Stop } from '../../policy/budgets/budgetDeps.ts';
import { SessionBudget } from '../limits/sessionBudget.ts';
import { checkEndOfPhase, createSessionGuard } from './createSessionGuard.ts';
import { SessionDeadline } from '../limits/sessionDeadline.ts';
import { SessionDisk } from '../limits/sessionDisk.ts';
import { openSandbox } from './openSandbox.ts';
import { SessionUsage } from '../limits/sessionUsage.ts';
import { createSessionLog } from './createSessionLog.ts';
import { SessionWatch } from '../limits/sessionWatch.ts';
import { type ObservedWork, observeWork } from '../limits/observeWork.ts';
import type { OpenSessionDeps, SessionOpening, OpenParams } from './openSessionDeps.ts';

/**
 * `session.open`: runs one agent session of a phase visit to its end. After a crash it starts again
 * with the same prompts; its tool calls find the recorded answers.
 */
export const openSession = (deps: OpenSessionDeps): Port<OpenParams, Tables> => {
  const { sessions } = deps;

  const ended = (
    { visit, session }: OpenParams,
    { stopReason, error, fault = 'unknown', usage }: SessionResult,
    limit: QuotaSessionEnd['limit'] = {},
    left: LeftoverItems | null = null,
    stop: Stop | null = null,
    disk: string | null = null,
    seen: ObservedWork = {},
  ): JobAnswer => ({
    type: 'session.ended',
    visit,
    session,
    stopReason,
    error,
    ...(stopReason === 'error' ? { fault } : {}),
    usage,
    ...limit,
    ...(left === null ? {} : { left }),
    ...seen,
    ...(stop?.exceeded && stopReason === 'interrupted' ? { budget: stop.exceeded } : {}),
    ...(disk !== null && stopReason === 'interrupted' ? { disk } : {}),
  });

  return async (params, run) => {
    const jobId = run.actorId;
    const { visit, session } = params;
    const ref: SessionRef = { jobId, phase: params.phase.name, visit, session };
    if (!deps.isCurrent(ref)) {
      return { events: [ended(params, CUT)] };
    }
    const quota = new QuotaSession(
      deps.quota,
      findPhaseAccount(deps, params.phase),
      jobId,
      deps.contextOf(jobId),
    );
    const deadline = new SessionDeadline(deps.contextOf(jobId), deps.clock);
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
      deadline.over();
      disk.over();
      return { events: [ended(params, CUT, {}, null, budget.stop, disk.reason)] };
    }
    const entered = sessions.enter(ref);
    const over = new AbortController();
    try {
      await quota.enter();
      const refused = quota.refusal(session);
      if (refused !== null)
        return {
          events: [ended(params, { stopReason: 'quota', error: null, usage: null }, refused)],
        };
      const lineCount = deps.lastOutputs.lineCount(jobId);
      const { result, read, left, rows, seen } = await runBoundedSession(
        deps,
        { ref, params, run },
        { entered, budget, quota, deadline, disk },
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
        !entered.endAsked.aborted &&
        !deadline.cut.aborted &&
        !disk.cut.aborted;
      if (isCut && result.stopReason === 'interrupted') {
        const cut = { ...result, stopReason: 'quota' as const, error };
        return {
          sends: [...read, { to: jobId, event: ended(params, cut, quota.ended(), left) }],
          rows,
        };
      }
      const { limit, sends, stopReason, warning } = quota.end({ ...result, error });
      if (warning !== null)
        await deps.log(ref, [{ from: 'runner', tag: 'no-progress', line: warning }]);
      const end = { ...result, stopReason, error };
      const held = await checkEndOfPhase(deps, ref, end);
      const event = ended(params, end, limit, left, budget.stop, disk.reason, {
        ...seen,
        ...held,
      });
      const passed = deps.guardrails.decisions.takePasses();
      const output = deps.lastOutputs.changesAtEnd(ref, stopReason, lineCount);
      return {
        sends: [...read, ...sends, { to: jobId, event }],
        rows: [...rows, ...passed, ...output],
      };
    } finally {
      budget.over();
      deadline.over();
      disk.over();
      over.abort();
      entered.leave();
    }
  };
};

const CUT: SessionResult = { stopReason: 'interrupted', error: null, usage: null };

interface Bounds {
  entered: EnteredSession;
  budget: SessionBudget;
  quota: QuotaSession;
  deadline: SessionDeadline;
  disk: SessionDisk;
}

interface RanSession extends PlayedSession {
  seen: ObservedWork;
  /** Ledger rows for the commit of the session's end. */
  rows: RowChange[];
}

/** A session that was interrupted before its agent began. */
const NOTHING_RAN: RanSession = { result: CUT, read: [], left: null, rows: [], seen: {} };

const runBoundedSession = async (
  deps: OpenSessionDeps,
  opening: SessionOpening,
  { entered, budget, quota, deadline, disk }: Bounds,
  overSignal: AbortSignal,
): Promise<RanSession> => {
  const { settings, tools, forges, workplace } = deps;
  const { ref, params, run } = opening;
  const { jobId } = ref;
  const job = deps.job(jobId);
  const resolved =
    deps.overlays.findKeptOverlay(ref) ?? (await workplace.overlay(readJobRepo(job.params)));
  const jobDir = workplace.jobDir(jobId);
  const own = {
    forge: findJobForge(forges, job.params)?.id ?? null,
    tracker: findJobTracker(deps.trackers, job.params)?.id ?? null,
  };
  const rules = resolvePhaseRules(resolved, params.phase, own);
  const executor = requireChosenExecutor(deps, params);
  const steered = deps.steer({
    ...ref,
    folds: executor.capabilities.foldMidTurn,
    graceMs: settings.runner.stopGraceSeconds * 1000,
    tools: { hold: () => opened.hold(), release: () => opened.release() },
  });
  const port = deps.port({ ...ref, jobDir, overlay: resolved.overlay, signal: overSignal });
  const opened = tools.open(port, {
    forges: forges.ids(),
    allowed: rules.tools,
    own,
    guard: createSessionGuard(deps, ref),
    watch: disk.watchCalls(steered.calls, () => opened.hold()),
    callsOf: pickCallNumber(params, executor.capabilities),
    ...(deps.onDeprecatedTool ? { onDeprecated: deps.onDeprecatedTool } : {}),
  });
  let confined: OpenedSandbox | null = null;
  let external: ExternalServers | null = null;
  try {
    const address = { url: `${deps.baseUrl()}${opened.path}`, token: opened.token };
    const llm = resolvePhaseModel(settings.llm, params.phase);
    const { workflowPath } = params;
    const watch = new SessionWatch({
      limits: settings.noProgress.session,
      now: () => deps.clock.now(),
      screen: deps.screen,
      log: (line) => deps.log(ref, [{ from: 'runner', tag: 'no-progress', line }]),
      folds: executor.capabilities.foldMidTurn,
    });
    const usage = new SessionUsage(deps.ledger, { ref, job, workflowPath, llm, executor });
    const keep = createSessionLog((lines) => deps.log(ref, lines));
    const request = await buildSessionRequest(deps, opening, {
      usage,
      afterCall: () => budget.afterCall(),
      quota,
      deadline,
      disk,
      watch,
      job,
      resolved,
      rules,
      jobDir,
      executor,
      steered,
      tools: address,
      artefactText: port.artefactText,
      keep,
    });
    const choice = formatSessionChoice(request.llm, settings.llm.defaultProvider);
    if (choice !== null) await deps.log(ref, [{ from: 'runner', tag: 'model', line: choice }]);
    if (run.recovered)
      await deps.log(ref, [
        { from: 'runner', tag: 'control', line: formatRestartLine(request.resume) },
      ]);
    const layer = resolved.overlay.agent(params.phase.agent ?? '').layerRoot;
    confined = await openSandbox(deps, { ref, job, layer, executor, request });
    // The phase continues with its preparation, which waits for a sandbox.
    if (confined === null) return NOTHING_RAN;
    for (const lock of await workplace.removeStaleLocks(jobId))
      await deps.log(ref, [{ from: 'runner', tag: 'workspace', line: formatStaleLockLine(lock) }]);
    const cut = AbortSignal.any([entered.endAsked, run.signal, quota.cut, deadline.cut, disk.cut]);
    external = await openExternalServers(deps, {
      ref,
      tools: rules.tools,
      declared: resolved.mcp,
      request,
      sandbox: confined.sandbox,
      host: opened,
      signal: cut,
    });
    const live = await executor.run({
      ...request,
      mcpServers: external.servers,
      sandbox: confined.sandbox,
    });
    budget.watch(live);
    watch.watch(live);
    entered.steer(steered);
    const played = await steered.play(live, cut);
    await keep.end();
    const used = await usage.end(played.result);
    return {
      ...played,
      result: { ...played.result, usage: used.usage },
      rows: used.rows,
      seen: await observeWork(deps, job, played.result, watch),
    };
  } catch (error) {
    if (error instanceof CutShort) return NOTHING_RAN;
    if (error instanceof MissingServers || isHindrance(error)) {
      const fault = error instanceof MissingServers ? error.kind : toSessionFault(error);
      const result = { stopReason: 'error' as const, error: error.message, fault, usage: null };
      return { ...NOTHING_RAN, result };
    }
    throw error;
  } finally {
    await external?.close();
    await confined?.close();
    await opened.close();
    await workplace.forgetSecrets(ref);
  }
};
