import type { JobAnswer, LeftOver } from '../../machines/index.ts';
import type { SessionRef } from '../contract/sessionRef.ts';
import type { Port } from '../durable/port.ts';
import type { Executor, SessionRequest, SessionResult } from '../contract/executor.ts';
import { SvcError } from '../lib/errors.ts';
import { ownForge, repoOfParams } from '../providers/forges.ts';
import { ownTracker } from '../providers/trackers.ts';
import { executorOf, phaseModel } from '../authoring/workflows/phaseModel.ts';
import type { EnteredSession } from './liveSessions.ts';
import type { Played } from './steered.ts';
import { phaseRules } from '../workplace/phaseRules.ts';
import { requestOf } from './sessionRequest.ts';
import type { OpenSessionDeps, Opening, OpenParams } from './openSessionDeps.ts';

/**
 * `session.open`: runs one agent session of a phase visit to its end. A session that a crash cut
 * off starts afresh with the same prompts; its tool calls find the answers that were recorded.
 */
export const openSession = (deps: OpenSessionDeps): Port<OpenParams> => {
  const { sessions } = deps;

  const ended = (
    { visit, session }: OpenParams,
    { stopReason, error, usage, resetsAt }: SessionResult,
    left: LeftOver | null = null,
  ): JobAnswer => ({
    type: 'session.ended',
    visit,
    session,
    stopReason,
    error,
    usage,
    ...(stopReason === 'quota' ? { resetsAt: resetsAt ?? null } : {}),
    ...(left === null ? {} : { left }),
  });

  return async (params, run) => {
    const jobId = run.actorId;
    const { visit, session } = params;
    const ref: SessionRef = { jobId, phase: params.phase.name, visit, session };
    if (!deps.isCurrent(ref)) {
      return { events: [ended(params, { stopReason: 'interrupted', error: null, usage: null })] };
    }
    const entered = sessions.enter(ref);
    const over = new AbortController();
    try {
      const { result, read, left } = await runSession(
        deps,
        { ref, params, run },
        entered,
        over.signal,
      );
      // The session was cut short by the stop of the runner, not by its own end: it runs again at
      // the next start.
      if (run.signal.aborted)
        throw new SvcError('stopping', 'the runner stopped during the session');
      const error = result.error === null ? null : deps.screen(result.error);
      // The end comes after what was read: the next kickoff is made of the rest.
      return { sends: [...read, { to: jobId, event: ended(params, { ...result, error }, left) }] };
    } finally {
      over.abort();
      entered.leave();
    }
  };
};

const runSession = async (
  deps: OpenSessionDeps,
  opening: Opening,
  entered: EnteredSession,
  overSignal: AbortSignal,
): Promise<Played> => {
  const { settings, tools, forges, workplace } = deps;
  const { ref, params, run } = opening;
  const { jobId } = ref;
  const job = deps.job(jobId);
  const resolved = deps.overlays.of(ref) ?? (await workplace.overlay(repoOfParams(job.params)));
  const jobDir = workplace.jobDir(jobId);
  const own = {
    forge: ownForge(forges, job.params)?.id ?? null,
    tracker: ownTracker(deps.trackers, job.params)?.id ?? null,
  };
  const rules = phaseRules(resolved, params.phase, own);
  const executor = chosenExecutor(deps, params);
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
    watch: steered.calls,
    callsOf: callsOf(params, executor.capabilities),
    ...(deps.onDeprecatedTool ? { onDeprecated: deps.onDeprecatedTool } : {}),
  });
  try {
    const address = { url: `${deps.baseUrl()}${opened.path}`, token: opened.token };
    const request = await requestOf(deps, opening, {
      job,
      resolved,
      rules,
      jobDir,
      executor,
      steered,
      tools: address,
      artefactText: port.artefactText,
    });
    const choice = choiceText(request.llm, settings.llm.defaultProvider);
    if (choice !== null) await deps.log(ref, [{ from: 'runner', tag: 'model', line: choice }]);
    if (run.recovered)
      await deps.log(ref, [{ from: 'runner', tag: 'control', line: restartText(request.resume) }]);
    const live = await executor.run(request);
    entered.steer(steered);
    return await steered.play(live, AbortSignal.any([entered.endAsked, run.signal]));
  } catch (error) {
    if (error instanceof SvcError && error.code !== 'stopping') {
      return {
        result: { stopReason: 'error', error: error.message, usage: null },
        read: [],
        left: null,
      };
    }
    throw error;
  } finally {
    await opened.close();
    await workplace.forgetSecrets(ref);
  }
};

/**
 * Under whose numbers a continued session makes its calls: an agent that has lost its conversation
 * repeats those of the first.
 */
const callsOf = (
  { session, continued }: OpenParams,
  { resume }: Executor['capabilities'],
): number => (continued ? (resume ? continued.calls : continued.first) : session);

const chosenExecutor = (
  { settings, executor }: OpenSessionDeps,
  { phase }: OpenParams,
): Executor => {
  const id = executorOf(phaseModel(settings.llm, phase).provider);
  const found = executor(id);
  if (!found)
    throw new SvcError(
      'not-found',
      `Phase ${phase.name} asks for the executor ${id}, which is not installed.`,
    );
  return found;
};

/** Why a session begins a second time. */
const restartText = (resume: string | null): string =>
  `the runner restarted during this session; the agent ${resume === null ? 'starts again, with a note' : 'continues its conversation'}`;

/** What was chosen for the session; null where everything is left to the default executor. */
const choiceText = (
  { provider, model, reasoningEffort }: SessionRequest['llm'],
  defaultProvider: string,
): string | null => {
  if (provider === defaultProvider && model === null && reasoningEffort === null) return null;
  const parts = [
    `executor ${provider}`,
    model && `model ${model}`,
    reasoningEffort && `reasoning effort ${reasoningEffort}`,
  ];
  return parts.filter(Boolean).join(', ');
};
