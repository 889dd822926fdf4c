import { toFilledStringOrNull } from '../../../base/json/untrusted.ts';
import type { SessionRequest } from '../../../contract/session/executor.ts';
import type { Metering } from '../../../contract/session/metering.ts';

export type AcpConfig = Readonly<Record<string, string | number | boolean>>;

export interface PresetContext {
  request: SessionRequest;
  config: AcpConfig;
  /** Folder for the configuration files of this session; 0700. */
  dir: string;
  /** The job's home, shared with its later sessions: sessions that are resumed lie in it. */
  home: string;
  systemPrompt: string;
  /** Absolute path of the overlay's memory file; null = none. */
  memoryFile: string | null;
  /** Absolute path of the overlay's folder of skills; null = none. */
  skillsDir: string | null;
  /** A free port for the agent's own server; 0 where it has none. */
  port: number;
  /** Set when the session is one turn of a plan-mode chat; null = it belongs to a job. */
  chat: AcpChat | null;
}

export interface AcpChat {
  /** Most rounds of look-ups; one more request is made for the closing words. */
  maxRounds: number;
}

export interface Launch {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /**
   * Files to write into {@link PresetContext.dir} before the start, 0600 (scripts 0700); a path
   * with a `/` creates folders. Absolute paths are used as they are.
   */
  files: Readonly<Record<string, string>>;
  /** Links to write before the start, absolute paths by absolute path; default: none. */
  links?: Readonly<Record<string, string>>;
  /** Texts that are removed from everything the agent says. */
  secrets: readonly string[];
  /** Sign-in method to name before a session; null = none. */
  authMethod: string | null;
  /** `_meta` of the session. */
  meta: Readonly<Record<string, unknown>> | null;
  /** Mode to switch the agent to; null = leave it. */
  mode: string | null;
  /** False: the system prompt goes before the first message. */
  takesSystemPrompt: boolean;
  /** The agent can be restricted to single tools of a server. */
  narrows: boolean;
  /**
   * The agent reads the file of the session's tool servers itself, so none are handed over: it
   * would pass them on in arguments.
   */
  readsServers: boolean;
  /**
   * Files and folders that are removed after the session, below {@link PresetContext.dir} or
   * absolute.
   */
  leavings: readonly string[];
  /** Events of the agent's own server, which say more than the protocol; null = none. */
  events: { url: string; authorization: string } | null;
  /** Lines of stderr that are not worth showing; default: none. */
  isNoise?: (line: string) => boolean;
  /** What the phase asks for and this agent cannot enforce; written to the log. */
  notes: readonly string[];
}

export interface Preset {
  /** The name after `acp:`. */
  id: string;
  install: string;
  settings: {
    key: string;
    model: string | null;
    /** Setting that names the folder of a person's login; left out: the agent cannot use one. */
    login?: string;
  };
  pathSetting: string;
  /** The program to start; null = each agent markdown names its own. */
  program(config: AcpConfig): string | null;
  /**
   * The settings that are missing for a start, as a clause; null = none. `model` is that of the
   * phase; null = it names none.
   */
  describeMissing(config: AcpConfig, model: string | null): string | null;
  /** Prefix that the agent puts before the name of a tool of the server `svc`; null = unknown. */
  toolPrefix: string | null;
  /** The agent loads the overlay's memory file and skills by itself. */
  loadsMemory: boolean;
  loadsSkills: boolean;
  loadsCheckoutMemory: boolean;
  /** The agent has an HTTP server on loopback, which needs a port. */
  servesHttp: boolean;
  /**
   * Why the agent cannot be limited to the tools of a plan-mode chat, as a clause; null = it can,
   * which the program itself has shown.
   */
  cannotChat: string | null;
  /** When the agent reports tokens; `never`: its program does not, or is unknown. */
  reportsUsage: NonNullable<Metering['reportsUsage']>;
  /** Throws SvcError `bad-argument` where a setting is missing. */
  launch(context: PresetContext): Launch;
}

export const readAcpSetting = (config: AcpConfig, name: string): string | null =>
  toFilledStringOrNull(config[name]);

export const describeAgentWork = ({
  request,
  chat,
}: Pick<PresetContext, 'request' | 'chat'>): string =>
  chat === null ? `Phase ${request.phase}` : 'The chat';

export const allowsBuiltInTool = (
  { builtInTools }: Pick<SessionRequest, 'builtInTools'>,
  tool: string,
): boolean => builtInTools === null || builtInTools.includes(tool);

/** Environment variable for the model's key where the agent has no name of its own for it. */
export const KEY_VARIABLE = 'SVC_MODEL_API_KEY';
