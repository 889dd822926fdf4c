import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { visibleText } from '../../machines/index.ts';
import type { ReadTool } from '../contract/chat.ts';
import { agentEnvironment } from '../executors/process/environment.ts';
import { createChooser } from '../intake/chatExecutor.ts';
import { createIntake, type RunningIntake } from '../intake/intakeService.ts';
import { createKnowledge } from '../intake/knowledge.ts';
import type { TurnPlace } from '../intake/parts.ts';
import { markerPrefixOf } from '../session/sessionRequest.ts';
import type { OpenChatServer } from '../tools/host.ts';
import type { RunnerCore } from './core.ts';
import { reportFault } from './reportFault.ts';

type PlaceDeps = Pick<RunnerCore, 'settings' | 'hostEnv' | 'binDir' | 'tools' | 'baseUrl'>;

/** Where turns of chats have their folders; one that outlived its turn belongs to nothing. */
const chatsDir = ({ settings }: Pick<RunnerCore, 'settings'>): string =>
  join(settings.home, 'chats');

/** What a turn of a chat needs of this machine, until it is over. */
const placeOf =
  (core: PlaceDeps) =>
  async (sessionId: string, turn: number): Promise<TurnPlace> => {
    const { settings, hostEnv, binDir, tools, baseUrl } = core;
    const stateDir = join(chatsDir(core), `${sessionId}.${turn}`);
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const env = await agentEnvironment({ hostEnv, jobDir: stateDir, binDir });
    let server: OpenChatServer | null = null;
    return {
      stateDir,
      env,
      marker: `${markerPrefixOf(settings.home)}plan/${sessionId}/${turn}`,
      async toolServer(given: readonly ReadTool[]) {
        server = tools.openChat(given);
        return { url: `${baseUrl()}${server.path}`, token: server.token };
      },
      async release() {
        server?.close();
        await rm(stateDir, { recursive: true, force: true });
      },
    };
  };

/** The plan-mode chats of a runner. */
export const createRunnerIntake = (core: RunnerCore): RunningIntake => {
  const { settings, executors, workplace, store, log } = core;
  const intake = createIntake({
    ...core,
    list: store.investigations,
    choose: createChooser({
      settings,
      executors,
      fallback: async () => 'it has no chat of its own',
    }),
    parts: createKnowledge({
      ...core,
      overlay: async () => (await workplace.overlay(null)).overlay,
    }),
    visible: visibleText,
    place: placeOf(core),
    onError: (where, error) =>
      reportFault(log, { where }, error, 'a plan-mode chat could not be carried on'),
  });
  return {
    ...intake,
    async start() {
      await rm(chatsDir(core), { recursive: true, force: true });
      await intake.start();
    },
  };
};
