import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { revealHiddenText } from '../../../machines/index.ts';
import type { ReadTool } from '../../contract/planning/chat.ts';
import { fillCommand } from '../../workflows/definition/fillCommand.ts';
import { toExecutorId } from '../../workflows/definition/resolvePhaseModel.ts';
import { prepareAgentEnvironment } from '../../executors/process/prepareAgentEnvironment.ts';
import { createFallbackChat } from '../../executors/process/createFallbackChat.ts';
import { createChooser, type Fallback } from '../../intake/chatExecutor.ts';
import { createIntake, type RunningIntake } from '../../intake/intakeService.ts';
import { createKnowledge } from '../../intake/knowledge.ts';
import type { TurnPlace } from '../../intake/intakeParts.ts';
import { toMarkerPrefix } from '../../sessions/open/sessionRequest.ts';
import { listSessionHosts } from '../../executors/sandbox/listSessionHosts.ts';
import type { OpenedSandbox } from '../../executors/sandbox/sandboxes.ts';
import { explainUnconfinedSession } from '../../executors/sandbox/sessionSandboxes.ts';
import type { OpenChatServer } from '../../executors/tools/host/createToolHost.ts';
import type { RunnerCore } from './core.ts';
import { buildAccountSessionDeps } from './buildAccountSessionDeps.ts';
import { reportFault } from './reportFault.ts';
import { createTurnAccount } from './createTurnAccount.ts';

type PlaceDeps = Pick<
  RunnerCore,
  | 'settings'
  | 'hostEnv'
  | 'binDir'
  | 'tools'
  | 'baseUrl'
  | 'sandboxes'
  | 'executors'
  | 'workplace'
  | 'log'
>;

/** Where turns of chats have their folders; one that outlived its turn belongs to nothing. */
const toChatsDir = ({ settings }: Pick<RunnerCore, 'settings'>): string =>
  join(settings.home, 'chats');

const createTurnPlaceOpener =
  (core: PlaceDeps) =>
  async (sessionId: string, turn: number): Promise<TurnPlace> => {
    const { settings, hostEnv, binDir, tools, baseUrl } = core;
    const stateDir = join(toChatsDir(core), `${sessionId}.${turn}`);
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const env = await prepareAgentEnvironment({ hostEnv, jobDir: stateDir, binDir });
    let server: OpenChatServer | null = null;
    let sandbox: OpenedSandbox | null = null;
    return {
      stateDir,
      env,
      marker: `${toMarkerPrefix(settings.home)}plan/${sessionId}/${turn}`,
      async toolServer(readTools: readonly ReadTool[]) {
        server = tools.openChat(readTools);
        return { url: `${baseUrl()}${server.path}`, token: server.token };
      },
      async sandbox({ llm, toolUrl, sessionDir }) {
        const id = toExecutorId(llm.provider);
        const executor = core.executors().find((one) => one.id === id);
        const { overlay } = await core.workplace.overlay(null);
        sandbox = await core.sandboxes.open({
          settings: settings.runner,
          unattended: false,
          executor: id,
          places: {
            home: settings.home,
            workingDir: settings.paths.workingDir,
            jobDir: stateDir,
            shared: [],
          },
          layer: overlay.agent(AGENT).layerRoot,
          hosts: listSessionHosts(
            llm.provider,
            executor?.billing?.({ llm, command: null }) ?? null,
            [],
          ),
          toolUrl,
          sessionDir,
        });
        return { sandbox: sandbox.sandbox, lacks: sandbox.reason };
      },
      async release() {
        server?.close();
        const refusedHosts = (await sandbox?.close()) ?? [];
        if (refusedHosts.length > 0)
          core.log.warn(
            { chat: sessionId, turn, refused: refusedHosts },
            'the sandbox of a chat refused something',
          );
        await rm(stateDir, { recursive: true, force: true });
      },
    };
  };

/** The agent of the overlay that says how a chat works; it may name a program that answers. */
const AGENT = 'agents/intake.md';
/** A turn has no checkout: its program works in a folder of the turn. */
const HERE = '.';

/** How an executor without a chat answers: in a session of its own. */
const createSessionFallback =
  ({ workplace, settings }: Pick<RunnerCore, 'workplace' | 'settings'>): Fallback =>
  async (executor, llm) => {
    const { overlay } = await workplace.overlay(null);
    const { command, layerRoot } = overlay.agent(AGENT);
    const places = { layer: layerRoot ?? settings.baseIntelligence, job: HERE, checkout: HERE };
    const need = { llm, command: command && fillCommand(command, places) };
    const chat = createFallbackChat(executor, need);
    // What it lacks for a chat says more than what it lacks for any session.
    return typeof chat === 'string' ? chat : (executor.lacks?.(need) ?? chat);
  };

/** The loop of this executor is in the runner, and no program answers its chats. */
const WITHOUT_PROGRAM = 'builtin';

/** Why a chat of an executor must not be held: a sandbox is required that it cannot have. */
const createConfinementCheck =
  ({ sandboxes, settings }: Pick<RunnerCore, 'sandboxes' | 'settings'>) =>
  async (executor: string): Promise<string | null> => {
    if (executor === WITHOUT_PROGRAM || settings.runner.sandbox !== 'required') return null;
    const lacks = explainUnconfinedSession(executor, await sandboxes.probe(settings.runner));
    return lacks && `runner.sandbox is required, and no sandbox can be used: ${lacks}`;
  };

export const createRunnerIntake = (core: RunnerCore): RunningIntake => {
  const { settings, executors, workplace, store, log } = core;
  const intake = createIntake({
    kernel: core.kernel,
    rows: core.rows,
    settings: core.settings,
    disk: core.disk,
    clock: core.clock,
    ledger: core.ledger,
    screen: core.screen,
    ids: core.ids,
    list: store.investigations,
    choose: createChooser({
      settings,
      executors,
      fallback: createSessionFallback(core),
      refusal: createConfinementCheck(core),
    }),
    parts: createKnowledge({
      settings: core.settings,
      forges: core.forges,
      trackers: core.trackers,
      screen: core.screen,
      overlay: async () => (await workplace.overlay(null)).overlay,
    }),
    visible: revealHiddenText,
    place: createTurnPlaceOpener(core),
    openTurnAccount: (id) => createTurnAccount(buildAccountSessionDeps(core), id),
    onError: (where, error) =>
      reportFault(log, { where }, error, 'a plan-mode chat could not continue'),
  });
  return {
    ...intake,
    async start() {
      // At once: a start that waits for a disk is not the same each time where time is simulated.
      rmSync(toChatsDir(core), { recursive: true, force: true });
      await intake.start();
    },
  };
};
