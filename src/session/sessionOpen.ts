import type { JobAnswer, JobPorts, LeftOver } from '../../machines/index.ts';
import type { SessionKey, SessionRef } from '../contract/sessionRef.ts';
import type { EffectRun, Port } from '../durable/port.ts';
import {
  type Executor,
  KICKOFF,
  type SessionRequest,
  type SessionResult,
} from '../contract/executor.ts';
import { SvcError } from '../lib/errors.ts';
import type { OpenOverlay } from '../authoring/overlay/openOverlay.ts';
import { kickoff, systemPrompt } from '../authoring/overlay/prompt.ts';
import type { Job } from '../schema/job.ts';
import type { JobPort } from '../contract/agentJob.ts';
import type { Settings } from '../schema/settings.ts';
import { type Forges, repoOfParams } from '../providers/forges.ts';
import type { ToolHost } from '../tools/host.ts';
import { toolPrompt } from '../tools/catalogue.ts';
import { fillCommand } from '../authoring/workflows/command.ts';
import { executorOf, phaseModel } from '../authoring/workflows/phaseModel.ts';
import type { JobOverlays, ResolvedOverlay } from '../workplace/jobOverlays.ts';
import type { EnteredSession, LiveSessions } from './liveSessions.ts';
import type { Played, Steered, SteeredRun } from './steered.ts';
import { type PhaseRules, phaseRules } from '../workplace/phaseRules.ts';
import type { SessionLine } from './agentLines.ts';
import { sessionLog } from './sessionLog.ts';
import type { Workplace } from '../workplace/workplace.ts';

type OpenParams = JobPorts['session.open'];

/**
 * What a session is told of its pull requests before it begins; never rejects for a forge that does
 * not answer.
 */
export type PrNotes = (
  jobId: string,
  session: Pick<OpenParams, 'phase' | 'session' | 'prompt'>,
) => Promise<{ preflight: string | null; gateStates: string | null }>;

export interface OpenSessionDeps {
  settings: Pick<Settings, 'llm' | 'runner' | 'home'>;
  workplace: Workplace;
  forges: Forges;
  overlays: JobOverlays;
  sessions: LiveSessions;
  tools: ToolHost;
  executor(id: string): Executor | undefined;
  job(jobId: string): Job;
  prNotes: PrNotes;
  /** False when the job has moved on: then there is nothing to run. */
  isCurrent(ref: SessionKey): boolean;
  /** One run of a session with its messages. */
  steer(run: SteeredRun): Steered;
  port(
    session: SessionRef & { jobDir: string; overlay: OpenOverlay; signal: AbortSignal },
  ): JobPort;
  /** Appends lines to the job's log; resolves when they are there. Never rejects. */
  log(at: Omit<SessionRef, 'session'>, lines: readonly SessionLine[]): Promise<void>;
  /** Takes known secrets out of a text. */
  screen(text: string): string;
  /** Told of the name of a tool that an agent has called by an older name; default: nobody is. */
  onDeprecatedTool?(tool: string): void;
  /** Where the runner answers, e.g. `http://127.0.0.1:3000`. */
  baseUrl(): string;
}

/**
 * Marks the processes of one runner's agents, so that a later start finds those that outlived it.
 */
export const markerPrefixOf = (home: string): string => `${home}#`;

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

/** One run of the effect, with the session that it runs. */
interface Opening {
  ref: SessionRef;
  params: OpenParams;
  run: EffectRun;
}

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
  const rules = phaseRules(resolved, params.phase);
  const executor = chosenExecutor(deps, params);
  const steered = deps.steer({
    ...ref,
    folds: executor.capabilities.foldMidTurn,
    graceMs: settings.runner.stopGraceSeconds * 1000,
    tools: { hold: () => opened.hold(), release: () => opened.release() },
  });
  const opened = tools.open(
    deps.port({ ...ref, jobDir, overlay: resolved.overlay, signal: overSignal }),
    {
      forges: forges.ids(),
      allowed: rules.tools,
      watch: steered.calls,
      callsOf: callsOf(params, executor.capabilities),
      ...(deps.onDeprecatedTool ? { onDeprecated: deps.onDeprecatedTool } : {}),
    },
  );
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
    });
    const choice = choiceText(request.llm, settings.llm.defaultProvider);
    if (choice !== null) await deps.log(ref, [{ from: 'runner', tag: 'model', line: choice }]);
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

/** The first answer that is not null. */
const firstOf = async <T>(
  sessions: readonly number[],
  ask: (session: number) => Promise<T | null>,
): Promise<T | null> => {
  for (const session of sessions) {
    const found = await ask(session);
    if (found !== null) return found;
  }
  return null;
};

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

interface RequestParts {
  job: Job;
  resolved: ResolvedOverlay;
  rules: PhaseRules;
  jobDir: string;
  executor: Executor;
  steered: Steered;
  tools: SessionRequest['tools'];
}

const requestOf = async (
  deps: OpenSessionDeps,
  { ref, params, run }: Opening,
  { job, resolved: { overlay }, rules, jobDir, executor, steered, tools }: RequestParts,
): Promise<SessionRequest> => {
  const { settings, workplace } = deps;
  const { mcpServers, builtInTools, isAllowed } = rules;
  const { visit, session, phase, workflowPath } = params;
  const checkout =
    typeof job.params.repoCheckoutAbsDir === 'string' ? job.params.repoCheckoutAbsDir : null;
  const agent = overlay.agent(phase.agent ?? '');
  const places = {
    layer: agent.layerRoot ?? workplace.overlayDir(job.id),
    job: jobDir,
    checkout: checkout ?? jobDir,
  };
  const { dir: sessionDir, env } = await workplace.session(ref);
  const forges = deps.forges.ids();
  const { body, table } = overlay.workflow(workflowPath);
  const coordinates = table?.coordinator?.enabled === true;
  const owner = coordinates ? job.id : job.parentJobId;
  const prompt = systemPrompt({
    workflowBody: body,
    agentBody: agent.body,
    job,
    contractsDir: owner === null ? null : workplace.contractsDir(owner),
  });
  const { preflight, gateStates } = await deps.prNotes(job.id, params);
  const { continued } = params;
  const earlier = continued
    ? Array.from({ length: session - continued.first }, (_, n) => session - 1 - n)
    : [];
  const readTo = await firstOf(earlier, (n) => workplace.kickoffRead({ ...ref, session: n }));
  const arrived = await steered.kickoff(
    params.inboxFrom,
    params.inboxTo,
    continued && { ...continued, readTo: readTo ?? 0 },
  );
  const known = executor.capabilities.resume
    ? await firstOf([...(run.recovered ? [session] : []), ...earlier], (n) =>
        workplace.agentSession({ ...ref, session: n }),
      )
    : null;
  const resume = arrived.uncertain ? null : known;
  // An agent that continues its conversation has had what its kickoff said.
  const had = resume !== null && readTo !== null;
  const asked = gateStates === null ? params.prompt : `${params.prompt}\n\n${gateStates}`;
  const keep = sessionLog((lines) => deps.log(ref, lines));
  return {
    ...ref,
    cwd: checkout ?? jobDir,
    sessionDir,
    overlayDir: workplace.overlayDir(job.id),
    systemPrompt: `${prompt}\n\n${toolPrompt(forges, { isAllowed, coordinates, services: deps.tools.services })}`,
    kickoff: kickoff({
      phase: phase.name,
      visit,
      session,
      preflight,
      batch: resume === null || !continued ? arrived.batch : arrived.news,
      readBefore: resume === null ? arrived.readBefore : null,
      prompt: had ? null : asked,
      eventKey: params.eventKey,
      restarted: run.recovered || continued !== undefined,
      ...(continued && !run.recovered ? { setback: continued.why } : {}),
      resumed: resume !== null,
    }),
    resume,
    tools,
    mcpServers,
    builtInTools,
    llm: phaseModel(settings.llm, phase),
    command: agent.command && fillCommand(agent.command, places),
    env,
    limits: {
      timeMs: settings.runner.sessionMinutes * 60_000,
      outputBytes: settings.runner.sessionOutputBytes,
    },
    marker: `${markerPrefixOf(settings.home)}${job.id}/${visit}.${session}`,
    onEvent(event) {
      steered.onEvent(event);
      if (event.type === 'session') return workplace.keepAgentSession(ref, event.id);
      if (event.type === 'message' && event.id === KICKOFF && event.state === 'acknowledged') {
        return workplace.noteKickoffRead(ref, arrived.upTo);
      }
      return keep(event);
    },
  };
};
