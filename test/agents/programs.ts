import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAcpExecutor } from '../../src/executors/acp/createAcpExecutor.ts';
import { createClaudeExecutor } from '../../src/executors/claude/createClaudeExecutor.ts';
import type { Executor } from '../../src/contract/session/executor.ts';
import { systemClock } from '../../src/base/time/clock.ts';

/** The model key of every agent: it may appear in the agent's own environment and nowhere else. */
export const MODEL_KEY = 'canary-model-key-4711';

/** A real agent, in a folder of its own below that of all of them. */
export interface AgentProgram {
  /** Name of the lane and of the folder. */
  id: string;
  /** For npm. */
  spec: string;
  /** What it takes on the disk, MB. */
  megabytes: number;
  /** What has to be there when it is installed, below its folder. */
  file: string;
  provider: string;
  model: string;
  /** `config`: settings beside those that it needs. */
  open(dir: string, modelUrl: string, config?: Readonly<Record<string, number>>): Executor;
  /**
   * Names of its own tools by the words of the allowlist; null = it cannot be kept to some of them
   * exactly.
   */
  ownTools: Readonly<Record<string, string>> | null;
  /**
   * Cases of the contract that it cannot keep, by the beginning of their title, with the reason.
   */
  cannot: Readonly<Record<string, string>>;
  /** Whether it connects to nothing but its model. */
  isSilent: boolean;
  /** Its key can be handed over in its environment alone, which its commands get. */
  showsKey: boolean;
  /** It holds plan-mode chats. */
  holdsChats: boolean;
  /** The log says when a request to its model is tried again. */
  reportsTries: boolean;
}

const CLAUDE_TOOLS = {
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  shell: 'Bash',
  glob: 'Glob',
  grep: 'Grep',
  skill: 'Skill',
};

const acp = (config: Record<string, string | number>): Executor =>
  createAcpExecutor({ clock: systemClock, config });

const claude: AgentProgram['open'] = (dir, baseUrl, more = {}) =>
  createClaudeExecutor({
    clock: systemClock,
    config: { ...more, apiKey: MODEL_KEY, baseUrl, sdkDir: dir },
  });

const CLAUDE_PROGRAM = 'node_modules/@anthropic-ai/claude-code-linux-x64/claude';
const OPENCODE = 'node_modules/opencode-linux-x64/bin/opencode';
const GEMINI = 'node_modules/.bin/gemini';
const CODEX = 'node_modules/.bin/codex-acp';
const CLAUDE_AGENT = 'node_modules/.bin/claude-agent-acp';

export const PROGRAMS: readonly AgentProgram[] = [
  {
    id: 'claude-0.2',
    spec: '@anthropic-ai/claude-agent-sdk@0.2.112',
    megabytes: 103,
    file: 'node_modules/@anthropic-ai/claude-agent-sdk/cli.js',
    provider: 'claude',
    model: 'claude-sonnet-4-5',
    open: claude,
    ownTools: CLAUDE_TOOLS,
    cannot: {
      'a message in the middle of a turn':
        'It does not report on single messages, so they wait for the end of the turn.',
    },
    // It contacts its vendor once, whatever its settings are.
    isSilent: false,
    showsKey: false,
    holdsChats: true,
    reportsTries: true,
  },
  {
    id: 'claude',
    spec: '@anthropic-ai/claude-agent-sdk@0.3.329',
    megabytes: 426,
    file: 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
    provider: 'claude',
    model: 'claude-sonnet-4-5',
    open: claude,
    ownTools: CLAUDE_TOOLS,
    cannot: {},
    isSilent: true,
    showsKey: false,
    holdsChats: true,
    reportsTries: true,
  },
  {
    id: 'claude-program',
    spec: '@anthropic-ai/claude-code@2.1.332',
    megabytes: 384,
    file: CLAUDE_PROGRAM,
    provider: 'claude',
    model: 'claude-sonnet-4-5',
    open: (dir, baseUrl, more = {}) =>
      createClaudeExecutor({
        clock: systemClock,
        config: { ...more, apiKey: MODEL_KEY, baseUrl, claudePath: join(dir, CLAUDE_PROGRAM) },
      }),
    ownTools: CLAUDE_TOOLS,
    cannot: {},
    isSilent: true,
    showsKey: false,
    holdsChats: true,
    reportsTries: true,
  },
  {
    id: 'opencode',
    spec: 'opencode-ai@1.18.33',
    megabytes: 354,
    file: OPENCODE,
    provider: 'acp:opencode',
    model: 'claude-sonnet-4-5',
    open: (dir, url, more = {}) =>
      acp({
        ...more,
        preset: 'opencode',
        opencodePath: join(dir, OPENCODE),
        opencodeBaseUrl: `${url}/v1`,
        opencodeApiKey: MODEL_KEY,
      }),
    ownTools: null,
    cannot: {},
    // It looks for newer versions of packages of its own.
    isSilent: false,
    showsKey: false,
    holdsChats: true,
    reportsTries: true,
  },
  {
    id: 'gemini',
    spec: '@google/gemini-cli@0.61.0',
    megabytes: 100,
    file: GEMINI,
    provider: 'acp:gemini',
    model: 'gemini-2.5-pro',
    open: (dir, url, more = {}) =>
      acp({
        ...more,
        preset: 'gemini',
        geminiPath: join(dir, GEMINI),
        geminiBaseUrl: url,
        geminiApiKey: MODEL_KEY,
      }),
    ownTools: null,
    cannot: {
      'the usage of a session': 'It does not tell what a cache held.',
      'a try whose answer broke off': 'It does not try again.',
      'a refusal': 'It calls a refusal the end of its turn.',
      'a call of a tool that does not exist': 'It does not tell of such calls.',
      'thoughts come as thoughts': 'It puts a heading before a thought.',
      'chat: an answer that broke off': 'It does not try again.',
      'a session can be continued by its id':
        'It does not keep sessions so short; a new one starts, as documented.',
    },
    isSilent: true,
    showsKey: true,
    holdsChats: true,
    reportsTries: false,
  },
  {
    id: 'codex',
    spec: '@zed-industries/codex-acp@0.16.0',
    megabytes: 223,
    file: CODEX,
    provider: 'acp:codex',
    model: 'gpt-5',
    open: (dir, url, more = {}) =>
      acp({
        ...more,
        preset: 'codex',
        codexPath: join(dir, CODEX),
        codexBaseUrl: `${url}/v1`,
        codexApiKey: MODEL_KEY,
        codexMode: 'full-access',
      }),
    ownTools: null,
    cannot: {
      'tool servers: a call that takes two minutes': 'It waits 120 seconds for a tool.',
      'the usage of a session': 'It does not tell of tokens.',
      'a try whose answer broke off': 'It does not tell of tokens.',
      'nothing is asked beside': 'It warns of an unknown model in the answer.',
      'an answer with neither text': 'It warns of an unknown model in the answer.',
      'a refusal': 'It reports a refusal as a broken stream.',
      'a call of a tool that does not exist': 'It does not tell of such calls.',
      'thoughts come as thoughts': 'It writes what a failed tool said in another form.',
      'what fails in passing': 'It does not try again after 429.',
      'an interrupt in the middle of an answer':
        'It warns of an unknown model before it asks, so the case begins too early.',
    },
    isSilent: true,
    showsKey: true,
    holdsChats: false,
    reportsTries: false,
  },
  {
    id: 'claude-agent-acp',
    spec: '@agentclientprotocol/claude-agent-acp@0.100.0',
    megabytes: 391,
    file: CLAUDE_AGENT,
    provider: 'acp:claude-agent-acp',
    model: 'claude-sonnet-4-5',
    open: (dir, url, more = {}) =>
      acp({
        ...more,
        preset: 'claude-agent-acp',
        claudeAgentPath: join(dir, CLAUDE_AGENT),
        claudeAgentBaseUrl: url,
        claudeAgentApiKey: MODEL_KEY,
      }),
    // The first request is for a title and offers none.
    ownTools: null,
    cannot: {
      'the usage of a session': 'It asks for a title and does not count it.',
      'a try whose answer broke off': 'It asks for a title and does not count it.',
      'nothing is asked beside': 'It asks for a title.',
      'what the model endpoint refuses':
        'It tries a key that is refused for minutes, and says nothing meanwhile.',
    },
    isSilent: true,
    showsKey: false,
    holdsChats: false,
    reportsTries: false,
  },
];

export const isInstalled = ({ id, file }: AgentProgram, agentsDir: string): boolean =>
  existsSync(join(agentsDir, id, file));
