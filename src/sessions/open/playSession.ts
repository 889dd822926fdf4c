import type { SessionResult } from '../../contract/session/executor.ts';
import { findJobForge, readJobRepo } from '../../providers/forges.ts';
import { findJobTracker } from '../../providers/trackers.ts';
import type { OpenedSandbox } from '../../executors/sandbox/sandboxes.ts';
import { resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { EnteredSession } from './liveSessions.ts';
import type { PlayedSession } from '../steering/steeredRun.ts';
import { resolvePhaseRules } from '../../jobs/workspace/resolvePhaseRules.ts';
import { pickCallNumber, requireChosenExecutor } from './requireChosenExecutor.ts';
import {
  CutShort,
  type ExternalServers,
  MissingServers,
  openExternalServers,
} from './externalServers.ts';
import { LastCall } from './lastCall.ts';
import { isHindrance, refuseLacks, toSessionFault } from './hindrance.ts';
import {
  formatSessionChoice,
  formatRestartLine,
  formatStaleLockLine,
} from '../brief/openingLines.ts';
import type { QuotaSession } from '../limits/quotaSession.ts';
import { buildSessionRequest } from './sessionRequest.ts';
import type { SessionBudget } from '../limits/sessionBudget.ts';
import { findSessionPlace } from '../prepare/makeWorkplace.ts';
import { createSessionGuard } from './createSessionGuard.ts';
import type { SessionDeadline } from '../limits/sessionDeadline.ts';
import type { SessionDisk } from '../limits/sessionDisk.ts';
import { openSandbox } from './openSandbox.ts';
import { SessionUsage } from '../limits/sessionUsage.ts';
import { createSessionLog } from './createSessionLog.ts';
import { SessionWatch } from '../limits/sessionWatch.ts';
import { type ObservedWork, observeWork } from '../limits/observeWork.ts';
import type { OpenSessionDeps, SessionOpening } from './openSessionDeps.ts';

/** A session that did not begin, or was interrupted. */
export const CUT: SessionResult = { stopReason: 'interrupted', error: null, usage: null };

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

/** Opening it again at once would meet the same hindrance, so the session ends with it. */
export const runBoundedSession = async (
  ...opening: Parameters<typeof playSession>
): Promise<RanSession> => {
  try {
    return await playSession(...opening);
  } catch (error) {
    if (error instanceof CutShort) return NOTHING_RAN;
    if (error instanceof MissingServers || isHindrance(error)) {
      const fault = error instanceof MissingServers ? error.kind : toSessionFault(error);
      const result = { stopReason: 'error' as const, error: error.message, fault, usage: null };
      return { ...NOTHING_RAN, result };
    }
    throw error;
  }
};

const playSession = async (
  deps: OpenSessionDeps,
  opening: SessionOpening,
  { entered, budget, quota, deadline, disk }: Bounds,
  overSignal: AbortSignal,
): Promise<RanSession> => {
  const { settings, tools, forges, workplace } = deps;
  const { ref, params, run } = opening;
  const { jobId } = ref;
  const job = deps.job(jobId);
  const checkout = job.params.repoCheckoutAbsDir;
  const { resolved, notes } = await refuseLacks(() =>
    findSessionPlace(deps, ref, {
      ...params,
      jobId,
      phase: ref.phase,
      params: deps.readContext(jobId).params,
      checkout: typeof checkout === 'string' ? checkout : null,
    }),
  );
  for (const line of notes) await deps.log(ref, [{ from: 'runner', tag: 'workspace', line }]);
  const repo = readJobRepo(job.params);
  const checkoutDir = deps.job(jobId).params.repoCheckoutAbsDir;
  const place =
    repo !== null && typeof checkoutDir === 'string'
      ? { jobId, slug: repo.slug, absDir: checkoutDir, layers: resolved.layers }
      : null;
  if (place !== null && !(await refuseLacks(() => deps.checkouts.isReady(place)))) {
    const line = 'the checkout is not set up yet, so the phase is prepared again';
    await deps.log(ref, [{ from: 'runner', tag: 'setup', line }]);
    return NOTHING_RAN;
  }
  const jobDir = workplace.jobDir(jobId);
  const own = {
    forge: findJobForge(forges, job.params)?.id ?? null,
    tracker: findJobTracker(deps.trackers, job.params)?.id ?? null,
  };
  const rules = resolvePhaseRules(resolved, params.phase, own);
  const executor = await refuseLacks(() => requireChosenExecutor(deps, params));
  const steeredRun = deps.steer({
    ...ref,
    folds: executor.capabilities.foldMidTurn,
    graceMs: settings.runner.stopGraceSeconds * 1000,
    tools: { hold: () => toolServer.hold(), release: () => toolServer.release() },
  });
  const port = deps.port({ ...ref, jobDir, overlay: resolved.overlay, signal: overSignal });
  const lastCall = new LastCall();
  const toolServer = tools.open(port, {
    forges: forges.ids(),
    allowed: rules.tools,
    own,
    guard: createSessionGuard(deps, ref),
    watch: disk.watchCalls(steeredRun.calls, () => toolServer.hold()),
    onOutcome: lastCall.note,
    callsOf: pickCallNumber(params, executor.capabilities),
    ...(deps.onDeprecatedTool ? { onDeprecated: deps.onDeprecatedTool } : {}),
  });
  let sandbox: OpenedSandbox | null = null;
  let external: ExternalServers | null = null;
  try {
    const address = { url: `${deps.baseUrl()}${toolServer.path}`, token: toolServer.token };
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
    const keep = createSessionLog((lines) => deps.log(ref, lines), deps.backlog);
    const request = await buildSessionRequest(deps, opening, {
      usage,
      checkAfterCall: () => budget.checkAfterCall(),
      quota,
      deadline,
      disk,
      watch,
      job,
      resolved,
      rules,
      jobDir,
      executor,
      steered: steeredRun,
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
    sandbox = await openSandbox(deps, {
      ref,
      job,
      caches: place === null ? [] : deps.checkouts.listSharedFolders(place),
      layer,
      executor,
      request,
    });
    // The phase continues with its preparation, which waits for a sandbox.
    if (sandbox === null) return NOTHING_RAN;
    for (const lock of await workplace.removeStaleLocks(jobId))
      await deps.log(ref, [{ from: 'runner', tag: 'workspace', line: formatStaleLockLine(lock) }]);
    const cut = AbortSignal.any([entered.endAsked, run.signal, quota.cut, deadline.cut, disk.cut]);
    external = await openExternalServers(deps, {
      ref,
      tools: rules.tools,
      declared: resolved.mcp,
      request,
      sandbox: sandbox.sandbox,
      host: toolServer,
      signal: cut,
    });
    const live = await executor.run({
      ...request,
      mcpServers: external.servers,
      sandbox: sandbox.sandbox,
    });
    budget.watch(live);
    watch.watch(live);
    entered.steer(steeredRun);
    const outcome = await steeredRun.play(live, cut);
    await keep.end();
    if (repo !== null && place !== null) {
      const line = await deps.workInProgress.save(jobId, repo, place.absDir);
      if (line !== null) await deps.log(ref, [{ from: 'runner', tag: 'workspace', line }]);
    }
    const finalUsage = await usage.end(outcome.result);
    const { stopReason } = outcome.result;
    if (stopReason === 'end_turn' || stopReason === 'pause_turn')
      await workplace.forgetLostWork(jobId);
    return {
      ...outcome,
      result: { ...lastCall.addCause(outcome.result), usage: finalUsage.usage },
      rows: finalUsage.rows,
      seen: await observeWork(deps, job, outcome.result, watch),
    };
  } finally {
    await external?.close();
    await sandbox?.close();
    await toolServer.close();
    await workplace.forgetSecrets(ref);
  }
};
