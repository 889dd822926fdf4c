import { describeInboxItems, describeResumeKey } from '../../../machines/index.ts';
import type { AgentJob } from '../../contract/job/agentJob.ts';
import {
  type Executor,
  KICKOFF,
  type SessionRequest,
  type ToolForm,
} from '../../contract/session/executor.ts';
import { buildKickoff, buildSystemPrompt } from '../../workflows/overlay/prompt.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import { findJobForge } from '../../providers/forges.ts';
import { buildToolCatalogue } from '../../executors/tools/catalogue/buildToolCatalogue.ts';
import { renderTextForAgent } from '../../executors/tools/catalogue/renderTextForAgent.ts';
import {
  renderToolPrompt,
  describeToolLookup,
} from '../../executors/tools/catalogue/renderToolPrompt.ts';
import { formatBrief } from '../brief/formatBrief.ts';
import { findBaseBranch, collectBriefFacts, readDoneHeading } from '../brief/collectBriefFacts.ts';
import { fillCommand } from '../../workflows/definition/fillCommand.ts';
import { resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { ResolvedOverlay } from '../../jobs/workspace/jobOverlays.ts';
import type { QuotaSession } from '../limits/quotaSession.ts';
import type { SessionDeadline } from '../limits/sessionDeadline.ts';
import type { SessionDisk } from '../limits/sessionDisk.ts';
import type { SessionUsage } from '../limits/sessionUsage.ts';
import type { SessionWatch } from '../limits/sessionWatch.ts';
import type { SteerableRun } from '../steering/steeredRun.ts';
import type { PhaseRules } from '../../jobs/workspace/resolvePhaseRules.ts';
import type { SessionLog } from './createSessionLog.ts';
import { createOwnCallGuard } from './createSessionGuard.ts';
import type { OpenSessionDeps, SessionOpening } from './openSessionDeps.ts';

interface RequestParts {
  job: Job;
  resolved: ResolvedOverlay;
  rules: PhaseRules;
  jobDir: string;
  executor: Executor;
  steered: SteerableRun;
  usage: Pick<SessionUsage, 'take'>;
  /** Called when a call is in the ledger; resolves when another may follow. */
  checkAfterCall(): Promise<void>;
  quota: Pick<QuotaSession, 'onEvent'>;
  deadline: Pick<SessionDeadline, 'onEvent'>;
  disk: Pick<SessionDisk, 'onEvent'>;
  watch: Pick<SessionWatch, 'onCall' | 'onFold' | 'onEvent'>;
  tools: SessionRequest['tools'];
  /** Text of an artefact that the job may read, from byte `offset` on. */
  artefactText: AgentJob['artefactText'];
  keep: SessionLog;
}

/** Default for an executor that declares no tool form: as for a program. */
const AS_PROGRAM: ToolForm = { prefix: '', offered: false };

export const buildSessionRequest = async (
  deps: OpenSessionDeps,
  { ref, params, run }: SessionOpening,
  {
    job,
    resolved: { overlay },
    rules,
    jobDir,
    executor,
    steered,
    usage,
    checkAfterCall: afterCall,
    quota,
    deadline,
    disk,
    watch,
    tools,
    artefactText,
    keep,
  }: RequestParts,
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
  const llm = resolvePhaseModel(settings.llm, phase);
  const form = executor.toolForm?.(llm.provider) ?? AS_PROGRAM;
  const toolNamed = (name: string): string => `${form.prefix ?? ''}${name}`;
  const base = await findBaseBranch(deps.forges, job);
  const catalogue = buildToolCatalogue(forges, deps.tools.services);
  const forAgent = (text: string): string =>
    renderTextForAgent(text, {
      isTool: (name) => catalogue.has(name),
      prefix: form.prefix ?? '',
      forge: findJobForge(deps.forges, job.params)?.id ?? null,
      base,
    });
  const { body, table } = overlay.workflow(workflowPath);
  const agentBody = forAgent(agent.body);
  const coordinates = table?.coordinator?.enabled === true;
  const owner = coordinates ? job.id : job.parentJobId;
  const prompt = buildSystemPrompt({
    workflowBody: forAgent(body),
    agentBody,
    job,
    related: deps.listRelated(job),
    addInsight: toolNamed('add_insight'),
    contractsDir: owner === null ? null : workplace.contractsDir(owner),
  });
  const { preflight, gateStates } = await deps.prNotes(job.id, params);
  const { continued } = params;
  const earlier = continued
    ? Array.from({ length: session - continued.first }, (_, n) => session - 1 - n)
    : [];
  const readTo = await findFirstAnswer(earlier, (n) =>
    workplace.kickoffRead({ ...ref, session: n }),
  );
  const batch = await steered.kickoff(
    params.inboxFrom,
    params.inboxTo,
    continued && { ...continued, readTo: readTo ?? 0 },
  );
  const conversation = executor.capabilities.resume
    ? await findFirstAnswer([...(run.recovered ? [session] : []), ...earlier], (n) =>
        workplace.agentSession({ ...ref, session: n }),
      )
    : null;
  const resume = batch.uncertain ? null : conversation;
  // An agent that continues its conversation already knows its kickoff.
  const had = resume !== null && readTo !== null;
  const fullPrompt = gateStates === null ? params.prompt : `${params.prompt}\n\n${gateStates}`;
  const isNew = resume === null;
  const facts = isNew
    ? await collectBriefFacts(
        { ...deps, read: (id) => artefactText(id, 0) },
        {
          job,
          table,
          base,
          cwd: checkout ?? jobDir,
          isCheckout: checkout !== null,
          done: readDoneHeading(agentBody),
          tool: toolNamed,
          hasTool: isAllowed,
        },
      )
    : null;
  const givesAll = isNew || !continued;
  const items = givesAll ? batch.items : batch.newItems;
  const advice = await deps.siteNotes({
    jobId: job.id,
    visit,
    session,
    phase,
    lanes: overlay.workflows().workflows.map(({ id, description }) => ({ id, text: description })),
    attempt: run.attempt,
    signal: run.signal,
  });
  if (advice.lines.length > 0)
    await deps.log(
      ref,
      advice.lines.map((line) => ({ from: 'runner', ...line })),
    );
  const usd = deps.budgets.usdLeft(job.id);
  return {
    ...ref,
    cwd: checkout ?? jobDir,
    sessionDir,
    overlayDir: workplace.overlayDir(job.id),
    systemPrompt: `${prompt}\n\n${renderToolPrompt(forges, { form, isAllowed, coordinates, services: deps.tools.services })}`,
    kickoff: buildKickoff({
      phase: phase.name,
      stay: job.phases.filter((stay) => stay.phase === phase.name).length,
      session,
      tools: { found: describeToolLookup(form), escalate: toolNamed('escalate') },
      brief: facts && formatBrief(facts),
      happened: describeInboxItems(items, job.prMappings),
      preflight,
      batch: givesAll ? batch.batch : batch.news,
      readBefore: isNew ? batch.readBefore : null,
      prompt: prependNote(
        prependNote(had ? null : fullPrompt, advice.note),
        deps.budgets.note(job.id),
      ),
      resumedBy: describeResumeKey(params.eventKey, items.length > 0),
      restarted: run.recovered || continued !== undefined,
      ...(continued && !run.recovered ? { setback: continued.why } : {}),
      resumed: resume !== null,
    }),
    resume,
    tools,
    mcpServers,
    builtInTools,
    llm,
    command: agent.command && fillCommand(agent.command, places),
    env,
    limits: {
      timeMs: settings.runner.sessionMinutes * 60_000,
      outputBytes: settings.runner.sessionOutputBytes,
      ...(usd === null ? {} : { usd }),
    },
    marker: `${toMarkerPrefix(settings.home)}${job.id}/${visit}.${session}`,
    screen: deps.screen,
    guard: createOwnCallGuard(deps, ref, checkout ?? jobDir),
    onCall: (call) => watch.onCall(call),
    onFold: (fold) => watch.onFold(fold),
    onEvent(event) {
      steered.onEvent(event);
      quota.onEvent(event);
      deadline.onEvent(event);
      disk.onEvent(event);
      watch.onEvent(event);
      if (event.type === 'limits') return undefined;
      if (event.type === 'session') return workplace.keepAgentSession(ref, event.id);
      if (event.type === 'message' && event.id === KICKOFF && event.state === 'acknowledged') {
        return workplace.noteKickoffRead(ref, batch.upTo);
      }
      const lines = keep(event);
      const counting = usage.take(event)?.then(afterCall);
      return counting ? Promise.all([counting, lines]) : lines;
    },
  };
};

const prependNote = (prompt: string | null, note: string | null): string | null =>
  [note, prompt].filter((part) => part !== null).join('\n\n') || null;

/** Marks the processes of a runner's agents, so that a later start finds those that outlived it. */
export const toMarkerPrefix = (home: string): string => `${home}#`;

/** The first result that is not null. */
export const findFirstAnswer = async <T>(
  sessions: readonly number[],
  ask: (session: number) => Promise<T | null>,
): Promise<T | null> => {
  for (const session of sessions) {
    const answer = await ask(session);
    if (answer !== null) return answer;
  }
  return null;
};
