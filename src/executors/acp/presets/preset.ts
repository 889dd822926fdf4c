import { toFilledStringOrNull } from '../../../shared/json/untrusted.ts';
import type { SessionRequest } from '../../../contract/session/executor.ts';
import type { Metering } from '../../../contract/session/metering.ts';

/** Settings of the `acp` plugin. */
export type AcpConfig = Readonly<Record<string, string | number | boolean>>;

export interface PresetContext {
  request: SessionRequest;
  config: AcpConfig;
  /** Folder of this session for the files of the agent's configuration; 0700. */
  dir: string;
  /** The job's home, which its later sessions have too: what is resumed has to lie in it. */
  home: string;
  /** System prompt of the runner and the job's memory. */
  systemPrompt: string;
  /** Absolute path of the overlay's memory file; null = none. */
  memoryFile: string | null;
  /** Absolute path of the overlay's folder of skills; null = none. */
  skillsDir: string | null;
  /** A free port for the agent's own server; 0 where it has none. */
  port: number;
  /** The session is one turn of a plan-mode chat; null = it is one of a job. */
  chat: AcpChat | null;
}

export interface AcpChat {
  /** Most rounds of look-ups; one more request is for the closing words. */
  maxRounds: number;
}

/** How an agent is started. */
export interface Launch {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /**
   * Files to be written into {@link PresetContext.dir} before it, 0600 (scripts 0700); a path with a
   * `/` makes folders. Absolute paths as they are.
   */
  files: Readonly<Record<string, string>>;
  /** What is taken out of all that the agent says. */
  secrets: readonly string[];
  /** Sign-in method to name before a session; null = none. */
  authMethod: string | null;
  /** `_meta` of the session. */
  meta: Readonly<Record<string, unknown>> | null;
  /** Mode of the agent to switch to; null = as it is. */
  mode: string | null;
  /** False: the system prompt goes before the first message. */
  takesSystemPrompt: boolean;
  /** The agent can be restricted to single tools of a server. */
  narrows: boolean;
  /**
   * It reads the file of the session's tool servers itself, so none are handed over: it would pass
   * them on in arguments.
   */
  readsServers: boolean;
  /**
   * Files and folders that are removed after the session, below {@link PresetContext.dir} or
   * absolute.
   */
  leavings: readonly string[];
  /** Events of its own server, which say more than the protocol; null = none. */
  events: { url: string; authorization: string } | null;
  /** Lines of its stderr that say nothing to people; default: none. */
  isNoise?: (line: string) => boolean;
  /** What the phase asks for and this agent cannot keep to; said in the log. */
  notes: readonly string[];
}

export interface Preset {
  /** After `acp:`. */
  id: string;
  /** What to do when the program is missing. */
  install: string;
  /** Names of its settings for the key and the model; null = none. */
  settings: { key: string; model: string | null };
  /** Name of the setting of its program. */
  pathSetting: string;
  /** The program that is started; null = each agent markdown names its own. */
  program(config: AcpConfig): string | null;
  /**
   * The settings without which it cannot start, as a clause; null = none is missing. `model` is
   * that of the phase; null = it names none.
   */
  missing(config: AcpConfig, model: string | null): string | null;
  /**
   * What the agent puts before the name of a tool of the server `svc` for its model; null = it is
   * not known.
   */
  toolPrefix: string | null;
  /** Loads the overlay's memory file and its skills by itself. */
  loadsMemory: boolean;
  loadsSkills: boolean;
  /** Loads AGENTS.md of the checkout by itself, or is not given it. */
  loadsCheckoutMemory: boolean;
  /** It has an HTTP server on loopback, which needs a port. */
  servesHttp: boolean;
  /**
   * Why it cannot be kept to the tools of a plan-mode chat, as a clause; null = it can, which is
   * tried with the program itself.
   */
  cannotChat: string | null;
  /** When it reports tokens; `never`: its program does not, or is not known. */
  reportsUsage: NonNullable<Metering['reportsUsage']>;
  /** Throws SvcError `bad-argument` where a setting is missing. */
  launch(context: PresetContext): Launch;
}

export const readAcpSetting = (config: AcpConfig, name: string): string | null =>
  toFilledStringOrNull(config[name]);

/** What runs on an agent, for an error. */
export const describeAgentWork = ({
  request,
  chat,
}: Pick<PresetContext, 'request' | 'chat'>): string =>
  chat === null ? `Phase ${request.phase}` : 'The chat';

/** Whether the phase allows one of the built-in tools. */
export const allowsBuiltInTool = (
  { builtInTools }: Pick<SessionRequest, 'builtInTools'>,
  tool: string,
): boolean => builtInTools === null || builtInTools.includes(tool);

/**
 * Environment variable that the model's key is handed over in where the agent has no name of its
 * own for it.
 */
export const KEY_VARIABLE = 'SVC_MODEL_API_KEY';
