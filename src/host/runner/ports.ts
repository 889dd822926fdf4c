import { isDeprecatedName } from '../../base/settings/deprecatedNames.ts';
import { listLeafPaths } from '../../base/json/listLeafPaths.ts';
import { resolveRatingTerms } from '../../policy/decisions/decisionTerms.ts';
import type { OpenSessionDeps } from '../../sessions/open/openSessionDeps.ts';
import type { Campaigns } from '../../sessions/subRuns/campaigns.ts';
import type { CreateJob } from '../../jobs/create/createJob.ts';
import type { RunnerCore } from './core.ts';
import { buildDecisionDeps } from './buildDecisionDeps.ts';
import { createSessionNotes } from '../../policy/decisions/sites/sessionNotes.ts';
import type { ForgeService } from '../../forges/forgeService.ts';
import { listHookedPlugins } from '../../forges/listHookedPlugins.ts';
import { createPrNotes } from '../../sessions/brief/prNotes.ts';
import { collectRelatedArtefacts } from '../../sessions/brief/collectRelatedArtefacts.ts';
import { providePorts } from './providePorts.ts';
import { createRunnerProposals, buildProposalPortDeps } from './proposalDeps.ts';
import { buildAccountSessionDeps } from './buildAccountSessionDeps.ts';
import { reportFault } from './reportFault.ts';
import { createSessionPort } from '../../sessions/agentJob/createSessionPort.ts';
import { SteeredSession } from '../../sessions/steering/steeredSession.ts';

export const createPorts = (
  core: RunnerCore,
  campaigns: Campaigns,
  forgeService: ForgeService,
  createJob: CreateJob,
) =>
  providePorts({
    settings: core.settings,
    workplace: core.workplace,
    checkouts: core.checkouts,
    forges: core.forges,
    trackers: core.trackers,
    overlays: core.overlays,
    sessions: core.sessions,
    tools: core.tools,
    backlog: core.backlog,
    sandboxes: core.sandboxes,
    workInProgress: core.workInProgress,
    writeRows: core.writeRows,
    job: core.job,
    ledger: core.ledger,
    budgets: core.budgets,
    guardrails: core.guardrails,
    disk: core.disk,
    clock: core.clock,
    lastOutputs: core.lastOutputs,
    screen: core.screen,
    baseUrl: core.baseUrl,
    rows: core.rows,
    blobs: core.blobs,
    now: core.now,
    ...buildSessionDeps(core, campaigns, forgeService),
    journal: (jobId) => core.store.durable.journal(jobId, 0, Number.MAX_SAFE_INTEGER),
    readState: (id) => core.kernel.state(id),
    judging: buildDecisionDeps(core),
    scheduling: {
      kernel: core.kernel,
      rows: core.rows,
      createJob,
      findRule: (name) => core.settings.schedules?.find((rule) => rule.name === name),
      isAdopted: core.isAdopted === true,
      now: core.now,
    },
    proposing: buildProposalPortDeps(core, forgeService),
    subRuns: campaigns,
    writes: forgeService.writes,
    reviews: forgeService.reviews,
  });

type SessionDeps = Pick<
  OpenSessionDeps,
  | 'readContext'
  | 'findRatingTerms'
  | 'siteNotes'
  | 'executor'
  | 'quota'
  | 'prNotes'
  | 'listRelated'
  | 'isCurrent'
  | 'steer'
  | 'port'
  | 'log'
  | 'onDeprecatedTool'
>;

const buildSessionDeps = (
  core: RunnerCore,
  campaigns: Campaigns,
  { writeAccess }: ForgeService,
): SessionDeps => {
  const { log, logLines, workplace, deprecated } = core;
  const proposals = createRunnerProposals(core);
  return {
    executor: (id) => core.executors().find((executor) => executor.id === id),
    prNotes: createPrNotes(core),
    listRelated: (job) => collectRelatedArtefacts(core.rows, job),
    isCurrent({ jobId, visit, session }) {
      const { value, context } = core.readState(jobId);
      const inSession = listLeafPaths(value).includes('working.inSession');
      return inSession && context.visit === visit && context.session === session;
    },
    steer: (run) =>
      new SteeredSession(run, {
        rows: core.rows,
        clock: core.clock,
        kernel: core.kernel,
        control: (ref, line) => void logLines(ref, [{ from: 'runner', tag: 'control', line }]),
        onError: (where, err) =>
          reportFault(log, { where }, err, 'the outcome of a message was not recorded'),
      }),
    readContext: (jobId) => core.readState(jobId).context,
    siteNotes: createSessionNotes(buildDecisionDeps(core)),
    findRatingTerms: (jobId) =>
      resolveRatingTerms(core.settings.decision, core.readState(jobId).context),
    quota: buildAccountSessionDeps(core),
    port: (scope) =>
      createSessionPort(
        {
          workplace: core.workplace,
          enforcement: core.enforcement,
          clock: core.clock,
          appendLog: core.appendLog,
          blobs: core.blobs,
          secretStream: core.secretStream,
          trackers: core.trackers,
          evidence: core.evidence,
          kernel: core.kernel,
          rows: core.rows,
          forges: core.forges,
          settings: core.settings,
          runAdvisor: core.runAdvisor,
          readState: core.readState,
          job: core.job,
          campaigns,
          proposals,
          writeAccess,
          overlay: workplace.overlay,
          hooked: listHookedPlugins(core.remote),
          onError: (where, err) =>
            log.error({ where, err }, 'an error occurred outside of a session'),
        },
        scope,
      ),
    log: logLines,
    onDeprecatedTool(tool) {
      const name = `tool ${tool}`;
      if (isDeprecatedName(name)) deprecated.noteUse(name);
    },
  };
};
