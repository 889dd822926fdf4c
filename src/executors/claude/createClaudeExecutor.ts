import { toFilledStringOrNull } from '../../base/json/untrusted.ts';
import type { VendorLogin } from '../../contract/runner/vendorLogin.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { Executor, ExecutorCapabilities } from '../../contract/session/executor.ts';
import {
  createDefaultUse,
  formatFoundParts,
  summarizeAgentHealth,
  describeKey,
  describeModel,
  type AgentChecks,
  type AgentState,
  type AgentUse,
} from '../process/agentState.ts';
import { createKeyAccount } from '../process/quota/createKeyAccount.ts';
import { writeKeyFile } from '../process/keyFile.ts';
import { endMarkedProcesses } from '../process/endMarkedProcesses.ts';
import { writeSessionFiles } from '../process/writeSessionFiles.ts';
import { startClaudeChat } from './startClaudeChat.ts';
import { ClaudeSession } from './claudeSession.ts';
import { readClaudeSettings } from './buildQueryOptions.ts';
import { explainLoginLack } from './claudeLogin.ts';
import {
  type ClaudePart,
  describeClaudePart,
  findClaudePart,
  loadClaudePart,
  NOTHING_INSTALLED,
} from './claudeProgram.ts';
import { INSTALL, type LoadedSdk } from './sdk.ts';

/** How a token of the program's own login begins. */
const TOKEN = /^sk-ant-oat\d{2}-[\w-]{8,4000}$/;

/**
 * The login of Claude Code by its own command, which opens the vendor's page and prints a token for
 * about a year. svc sees neither name nor password.
 */
export const CLAUDE_LOGIN: VendorLogin = {
  start: async () => ({ kind: 'command', command: 'claude setup-token' }),
  async complete({ code }) {
    if (TOKEN.test(code)) return { oauthToken: code };
    throw new SvcError(
      'bad-argument',
      'This is not a token of `claude setup-token`; those start with sk-ant-oat.',
    );
  },
  async longLivedToken() {
    throw new SvcError(
      'not-possible-now',
      'The token of `claude setup-token` lasts already: log in with it.',
    );
  },
};

/**
 * Default wait between SIGTERM and SIGKILL, for finished programs, left-over children and orphans.
 */
const DEFAULT_GRACE_MS = 2_000;

export const CLAUDE_CAPABILITIES: ExecutorCapabilities = {
  steering: true,
  foldMidTurn: true,
  cancelsToolCalls: true,
  resume: true,
  skills: true,
  systemPrompt: true,
  chat: 'read-only-agent',
  reportsUsage: 'each-call',
};

interface ClaudeExecutorOptions {
  clock: Clock;
  config: Readonly<Record<string, string | number | boolean>>;
  graceMs?: number;
  /** What is installed; default: looks for it. */
  find?(claudePath: string | null, sdkDir: string | null): ClaudePart;
  load?(part: ClaudePart): Promise<LoadedSdk>;
}

const KEY_FIX =
  'Run: svc config set plugins.installed.claude.config.apiKey - < file. To use your login of Claude Code instead, whose limits you then share with svc: svc config set plugins.installed.claude.config.loginDir ~/.claude';

export function createClaudeExecutor({
  clock,
  config,
  graceMs = DEFAULT_GRACE_MS,
  find = findClaudePart,
  load = loadClaudePart,
}: ClaudeExecutorOptions): Executor & AgentChecks & { login: VendorLogin } {
  const dir = toFilledStringOrNull(config.sdkDir);
  const loginDir = toFilledStringOrNull(config.loginDir);
  const findPart = () => find(toFilledStringOrNull(config.claudePath), dir);
  const credential = () => config.apiKey || config.oauthToken;
  const lacking = (): string | null => {
    if (findPart().kind === 'none') return NOTHING_INSTALLED;
    if (credential()) return null;
    return loginDir === null
      ? 'no key is set (plugins.installed.claude.config.apiKey)'
      : explainLoginLack(loginDir);
  };
  const state = async ({ model }: AgentUse): Promise<AgentState> => {
    const lack = lacking();
    const modelName = model ?? toFilledStringOrNull(config.model);
    const part = findPart();
    const choice = modelName === null ? 'the program chooses the model' : describeModel(modelName);
    const isLogin = !credential() && loginDir !== null;
    const access = isLogin
      ? `your login in ${loginDir} (shares the limits of its plan, runs in no sandbox)`
      : describeKey(credential());
    const fix = part.kind === 'none' ? INSTALL : isLogin ? 'Run: claude, and log in' : KEY_FIX;
    return {
      found: formatFoundParts([await describeClaudePart(part), choice, access], lack),
      lack,
      fix: lack === null ? null : fix,
    };
  };
  return {
    id: 'claude',
    capabilities: CLAUDE_CAPABILITIES,
    toolForm: () => ({ prefix: 'mcp__svc__', offered: true }),

    lacks: lacking,

    billing: ({ llm }) => ({
      endpoint: toFilledStringOrNull(config.baseUrl),
      vendor: null,
      paidBy: config.apiKey ? 'key' : 'subscription',
      model: llm.model ?? toFilledStringOrNull(config.model),
    }),

    pool: () =>
      createKeyAccount(
        'anthropic',
        toFilledStringOrNull(config.baseUrl),
        toFilledStringOrNull(credential()) ?? loginDir ?? '',
      ),

    async run(request) {
      const settings = readClaudeSettings(config, `Phase ${request.phase}`);
      const sdk = await load(findPart());
      await writeSessionFiles(request);
      if (settings.apiKey !== null) await writeKeyFile(request.sessionDir, settings.apiKey);
      return new ClaudeSession({ ...sdk, request, settings, clock, graceMs });
    },

    async chat(request) {
      const settings = readClaudeSettings(config, 'The chat');
      return startClaudeChat({ ...(await load(findPart())), request, settings, clock, graceMs });
    },

    login: CLAUDE_LOGIN,

    endOrphans: (markerPrefix) =>
      endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), graceMs),

    state,

    listConfigured: () => {
      const isSet = [credential(), config.claudePath, dir, loginDir].some(Boolean);
      return isSet ? [createDefaultUse('claude')] : [];
    },

    async healthcheck(uses = [createDefaultUse('claude')]) {
      try {
        await load(findPart());
      } catch (error) {
        return { ok: false, detail: toErrorMessage(error) };
      }
      return summarizeAgentHealth(await Promise.all(uses.map(state)));
    },
  };
}
