import { jobChart, subRunsChart } from '../../machines/index.ts';
import type { CommitNotice } from '../durable/contract.ts';
import { createKernel } from '../durable/kernel.ts';
import { leafPaths } from '../domain/leafPaths.ts';
import { JobOverlays } from '../effects/jobOverlays.ts';
import { LiveSessions } from '../effects/liveSessions.ts';
import { markerPrefixOf, type OpenSessionDeps } from '../effects/openSession.ts';
import { createWorkplace } from '../effects/workplace.ts';
import { lacksOf } from '../executors/lacksOf.ts';
import { KnownSecrets } from '../lib/knownSecrets.ts';
import type { Kernel, RowChange } from '../records/changes.ts';
import type { Job } from '../schema/job.ts';
import { byPath, entryOf } from '../workflows/discover.ts';
import { providersOf } from '../workflows/phaseModel.ts';
import { forgeOf } from '../scm/forges.ts';
import { LOCAL_FORGE } from '../scm/local/describe.ts';
import { NO_TRACKERS } from '../trackers/trackers.ts';
import { BlobStore } from './blobs.ts';
import { createCampaigns } from './campaign/campaigns.ts';
import { NO_ADVICE, type RunJudge } from './cannotRun.ts';
import { createCommands } from './commands.ts';
import { createJobCreator } from './createJob.ts';
import type { Runner } from '../contract/runner.ts';
import type { FaultPoints } from './faultPoints.ts';
import { deprecatedFields, DeprecatedNames } from './deprecatedNames.ts';
import { createForgeDesk } from './forgeDesk.ts';
import { createForgeService } from './forgeService.ts';
import { createGcService } from './gc/gcService.ts';
import { JobIds } from './jobIds.ts';
import { createAuthoring } from './intelligence/authoring.ts';
import { createJobList } from './jobList.ts';
import { createJobServers } from './jobServers.ts';
import { jobStates } from './jobStates.ts';
import { JobViews } from './jobView.ts';
import { JobWatch } from './jobWatch.ts';
import { createPrNotes } from './prNotes.ts';
import { providePorts } from './provide.ts';
import { createQuestions } from './questions.ts';
import { reportFault } from './reportFault.ts';
import { Requests } from './requests.ts';
import type { RunnerDeps } from './runnerDeps.ts';
import { sessionPort } from './sessionPort.ts';
import { Slots } from './slots.ts';
import { SteeredSession } from './steering/steeredSession.ts';
import { Streams } from './streams.ts';

export interface RunningRunner extends Runner {
  /** Ends what a crashed runner left behind, then brings every job that has not ended back to work. */
  start(): Promise<void>;
  /** Interrupts sessions, keeps every job as it is, ends the streams. */
  stop(): Promise<void>;
  /** Shows what actors do, committed step by committed step, until the returned function is called. */
  inspect: Kernel['inspect'];
  /** Writes rows that belong to no job; resolves when they are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
}

/** Joins charts, kernel, ports and services into what the surface talks to. */
export const createRunner = (deps: RunnerDeps): RunningRunner => {
  const { settings, store, clock, ids, log, forges, trackers = NO_TRACKERS } = deps;
  const local = forgeOf(forges, { slug: '', provider: LOCAL_FORGE });
  const sessions = new LiveSessions();
  const overlays = new JobOverlays();
  const lacks = lacksOf(() => deps.executors);
  const judge: RunJudge = { settings, lacks, advise: deps.advise ?? NO_ADVICE };
  const workplace = deps.workplace ?? createWorkplace({ ...deps, providers: () => deps.executors.flatMap(providersOf), lacks });
  const blobs = deps.blobs ?? new BlobStore(settings.paths.blobs);
  const startedAt = new Date(clock.now()).toISOString();
  const aroundPorts: FaultPoints['aroundPorts'] = deps.aroundPorts ?? ((ports) => ports);
  const charts = [jobChart, subRunsChart];
  const secretStream = deps.secretStream ?? (() => new KnownSecrets().stream());
  let stopping = false;

  const { stateOf, rowOf } = jobStates({ state: (id) => kernel.state(id) }, store.durable);
  const views = new JobViews(store.rows, rowOf);
  const job = (jobId: string): Job => views.of(stateOf(jobId));

  const appendLog = (jobId: string, ...lines: Record<string, unknown>[]): Promise<unknown> => {
    const at = new Date(clock.now()).toISOString();
    return kernel.submit({ frames: lines.map((line) => ({ actor: jobId, frame: { kind: 'log', data: { at, ...line } } })) });
  };

  const logLines: OpenSessionDeps['log'] = ({ jobId, phase, visit }, lines) =>
    appendLog(jobId, ...lines.map(({ from, tag, line }) => ({ phase, visit, from, tag, line: deps.screen(line) }))).then(
      () => undefined,
      (err) => reportFault(log, { jobId, lines: lines.length }, err, 'lines of the log were lost'),
    );

  const writeRows = async (rows: RowChange[]): Promise<void> => {
    await kernel.submit({ rows });
  };
  const requests = new Requests(store.rows, writeRows, clock.now);
  const jobIds = new JobIds((id) => store.durable.actor(id) !== undefined);
  const campaigns = createCampaigns({
    kernel: () => kernel,
    rows: store.rows,
    requests,
    forges,
    ids: jobIds,
    workplace,
    now: clock.now,
    stateOf,
    settings,
    rowOf: (jobId) => store.durable.actor(jobId),
  });
  const forgeService = createForgeService({
    forges,
    trackers,
    store,
    clock,
    log,
    stateOf,
    kernel: () => kernel,
    create: () => createJob,
    screen: deps.screen,
    secrets: deps.secretStream ? { screen: deps.screen, stream: secretStream } : null,
    remote: deps.remote ?? { watch: {}, problems: {}, webhooks: {}, random: () => 0.5 },
  });
  const slots = new Slots({
    actors: store.actors,
    clock,
    limit: settings.runner.maxConcurrentJobs,
    onError: (err) => reportFault(log, {}, err, 'a slot could not be granted'),
  });
  const kernel: Kernel = createKernel({
    store: store.durable,
    charts,
    followUp: slots,
    clock,
    screen: deps.screen,
    ...(deps.defer ? { defer: deps.defer } : {}),
    onError: (where, error) => reportFault(log, { where }, error, 'the kernel reports an error'),
    ports: aroundPorts(
      providePorts({
        settings,
        workplace,
        forges,
        overlays,
        journal: (jobId) => store.durable.journal(jobId, 0, Number.MAX_SAFE_INTEGER),
        now: clock.now,
        sessions,
        tools: deps.tools,
        executor: (id) => deps.executors.find((executor) => executor.id === id),
        job,
        prNotes: createPrNotes({ forges, clock, log, job }),
        isCurrent: ({ jobId, visit, session }) => {
          const { value, context } = stateOf(jobId);
          return leafPaths(value).includes('working.inSession') && context.visit === visit && context.session === session;
        },
        steer: (run) =>
          new SteeredSession(run, {
            kernel,
            rows: store.rows,
            clock,
            control: (ref, line) => void logLines(ref, [{ from: 'runner', tag: 'control', line }]),
            onError: (where, err) => reportFault(log, { where }, err, 'what became of a message was not written down'),
          }),
        port: (scope) =>
          sessionPort(
            {
              kernel,
              rows: store.rows,
              blobs,
              forges,
              trackers,
              workplace,
              job,
              appendLog,
              campaigns,
              settings,
              stateOf,
              writeAccess: forgeService.writeAccess,
              secretStream,
              onError: (where: string, err: unknown) => log.error({ where, err }, 'beside a session something went wrong'),
              overlay: workplace.overlay,
              judge,
              hooked: Object.keys(deps.remote?.webhooks ?? {}),
            },
            scope,
          ),
        log: logLines,
        baseUrl: deps.baseUrl,
        screen: deps.screen,
        subRuns: campaigns,
        writes: forgeService.writes,
      }),
    ),
  });

  const createJob = createJobCreator({
    settings,
    workplace,
    kernel,
    forges,
    requests,
    ids: jobIds,
    now: clock.now,
    judge,
    tickets: { trackers, forges, clock, sites: deps.sites ?? [] },
  });
  const streams = new Streams({
    frames: (jobId, after, limit) => store.durable.frames(jobId, after, limit),
    hasEnded: (jobId) => store.durable.actor(jobId)?.index.activity === 'ended',
  });
  const deprecated = new DeprecatedNames(
    store.rows,
    (rows) => void kernel.submit({ rows }).catch((err) => log.error({ err }, 'a use of an older name was not counted')),
    clock.now,
  );
  const { resync, ...localForge } = createForgeDesk({
    forge: local,
    kernel,
    rows: store.rows,
    requests,
    ids,
    now: clock.now,
    tells: forgeService.tells,
  });

  const forgetEnded = ({ steps }: CommitNotice): void => {
    for (const { id, after } of steps) if (!after.tags.includes('slot')) overlays.forget(id);
  };
  const watch = new JobWatch(rowOf);
  const unsubscribe = [
    kernel.onCommit((notice) => streams.onCommit(notice)),
    kernel.onCommit((notice) => watch.onCommit(notice)),
    kernel.onCommit(forgetEnded),
    () => slots.stop(),
    () => forgeService.stop(),
  ];

  return {
    async start() {
      for (const executor of deps.executors) {
        const ended = await executor.endOrphans(markerPrefixOf(settings.home));
        if (ended > 0) log.warn({ executor: executor.id, ended }, 'agents that outlived an earlier runner were ended');
      }
      const recovered = await kernel.start();
      if (recovered.effects + recovered.mail + recovered.givenUp > 0) log.info(recovered, 'jobs go on where they were');
      slots.start(kernel);
      const found = await resync();
      if (found > 0) log.info({ found }, 'pull requests had moved on');
      forgeService.start();
    },
    inspect: (observer) => kernel.inspect(observer),
    writeRows,
    async stop() {
      stopping = true;
      for (const stop of unsubscribe) stop();
      await kernel.stop(settings.runner.stopGraceSeconds * 1000 + 5000);
      streams.close();
    },

    health: () => ({
      status: stopping ? 'stopping' : 'ok',
      version: settings.version,
      mode: settings.mode,
      startedAt,
      jobs: store.actors.countByActivity(jobChart.id),
      deprecatedUses: deprecated.list(),
    }),
    deprecatedUse: (name, own) => deprecated.used(name, own),
    async createJob(body, request) {
      const created = await createJob(body, request);
      for (const name of deprecatedFields(body.params)) deprecated.used(name);
      return created;
    },
    jobs: createJobList({ actors: store.actors, stateOf, deprecated }),
    watchJobs: (changed) => watch.watch(changed),
    job,
    ...createCommands({
      kernel,
      requests,
      ids,
      stateOf,
      rows: store.rows,
      since: (jobId) => rowOf(jobId).since,
      inbox: (actor, source, externalId) => store.durable.inbox(actor, source, externalId),
    }),

    ...campaigns.facade,
    ...createAuthoring({ workplace, settings, nextDraft: ids.next }),
    ...createGcService({ settings, store, forges, clock, ids, stateOf }),
    ...createJobServers({ servers: deps.servers, overlays, workplace, stateOf }),
    ...createQuestions({ kernel, store, charts, workplace, streams, slots, blobs, stateOf, rowOf }),

    async workflows() {
      const { overlay } = await workplace.overlay(null);
      const { workflows, broken } = overlay.workflows();
      return [...workflows, ...broken].sort(byPath).map((found) => entryOf(found, settings.llm));
    },
    ...forgeService.facade,
    ...localForge,
  };
};
