import type { Clock } from '../../base/time/clock.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import { toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import type { McpServer } from '../../contract/schema/session/mcpServer.ts';
import { buildClaudeEnvironment, buildClaudeRules } from '../process/buildClaudeRules.ts';
import type { SessionRequest } from '../../contract/session/executor.ts';
import { readCheckoutMemory } from '../process/readCheckoutMemory.ts';
import { readMemoryPart, findOverlayFiles, renderSkillList } from '../process/findOverlayFiles.ts';
import { buildKeyCommand } from '../process/keyFile.ts';
import { toOwnCall, explainCallRefusal } from '../process/toOwnCall.ts';
import { buildBridgeStart, reachServer, resolveServersFile } from '../process/writeSessionFiles.ts';
import { type TurnLimits, readTurnLimits } from '../process/turnWatch.ts';
import { buildLoginEnvironment, explainLoginLack } from './claudeLogin.ts';
import type { HookAnswer, LoadedSdk, McpServerConfig, QueryOptions } from './sdk.ts';

export interface ClaudeSettings extends TurnLimits {
  apiKey: string | null;
  oauthToken: string | null;
  /** Folder with the person's login; null = a key or a token is used. */
  loginDir: string | null;
  baseUrl: string | null;
  /** Model of phases without one; null = the program's choice. */
  model: string | null;
  sdkDir: string | null;
}

/**
 * The settings of a configuration that was checked against the manifest. Throws SvcError
 * `bad-argument` without a key; `who` names what runs on it.
 */
export function readClaudeSettings(
  config: Readonly<Record<string, string | number | boolean>>,
  who: string,
): ClaudeSettings {
  const text = (name: string): string | null =>
    typeof config[name] === 'string' && config[name] !== '' ? config[name] : null;
  const apiKey = text('apiKey');
  const oauthToken = apiKey === null ? text('oauthToken') : null;
  const loginDir = apiKey === null && oauthToken === null ? text('loginDir') : null;
  if (apiKey === null && oauthToken === null && loginDir === null)
    throw new SvcError(
      'bad-argument',
      `${who} runs on claude, which has no key. Set apiKey in plugins.installed.claude.config, name your login of Claude Code in loginDir there, or log in on the page of plugins.`,
    );
  const lack = loginDir === null ? null : explainLoginLack(loginDir);
  if (lack !== null) throw new SvcError('bad-argument', `${who} runs on claude, but ${lack}.`);
  return {
    apiKey,
    oauthToken,
    loginDir,
    baseUrl: text('baseUrl'),
    model: text('model'),
    sdkDir: text('sdkDir'),
    ...readTurnLimits(config),
  };
}

const toClaudeServer = ({
  transport,
  command,
  args,
  env,
  url,
  headers,
}: McpServer): McpServerConfig =>
  transport === 'stdio'
    ? { type: 'stdio', command: command ?? '', args: [...args], env: { ...env }, alwaysLoad: true }
    : { type: transport, url: url ?? '', headers: { ...headers }, alwaysLoad: true };

/**
 * Older versions take servers and prompt only as arguments, which every user of the machine can
 * read.
 */
export const isCurrentSdk = (version: string | null): boolean =>
  version === null || !/^0\.[0-2]\./.test(version);

/** The program does not start with a folder that does not exist. */
const isExistingFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;

export const TOKEN_PIPE = 3;

export function buildClaudeSessionEnv(
  { env, sessionDir }: SessionRequest,
  { baseUrl, oauthToken, loginDir }: ClaudeSettings,
): Record<string, string> {
  const home = env.HOME ?? join(sessionDir, 'home');
  return {
    ...env,
    SVC_SESSION_DIR: sessionDir,
    ...buildClaudeEnvironment({ baseUrl, home }),
    ...buildLoginEnvironment(loginDir),
    // In a variable, the token would be in the environment of every command and tool server.
    ...(oauthToken === null ? {} : { CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR: `${TOKEN_PIPE}` }),
  };
}

export interface ClaudeChat {
  /** Names of the tools, which are all that its model has. */
  tools: readonly string[];
  maxTurns: number;
  /** First message where an earlier conversation is lost. */
  afresh: string;
  /** Called when an answer that broke off is asked for again. */
  onAgain(): void;
}

const buildChatRules = ({ tools, maxTurns }: ClaudeChat) => ({
  tools: [],
  allowedTools: tools.map((tool) => `mcp__svc__${tool}`),
  disallowedTools: [],
  maxTurns,
});

/** Refuses a call before it runs if the rules are against it. */
const createCallHook =
  (request: SessionRequest) =>
  async (input: unknown): Promise<HookAnswer> => {
    const { tool_name, tool_input } = toFields(input);
    const refusal = await explainCallRefusal(
      request,
      toOwnCall(toStringOrEmpty(tool_name), tool_input),
    );
    if (refusal === null) return {};
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: refusal,
      },
    };
  };

export async function buildQueryOptions(
  request: SessionRequest,
  settings: ClaudeSettings,
  version: string | null,
  spawn: QueryOptions['spawnClaudeCodeProcess'],
  chat: ClaudeChat | null,
): Promise<QueryOptions> {
  const { tools, mcpServers, sessionDir, overlayDir, llm, resume, limits } = request;
  const files = await findOverlayFiles(overlayDir);
  const current = isCurrentSdk(version);
  const parts = [
    request.systemPrompt,
    await readMemoryPart(files),
    current ? '' : await renderSkillList(files),
    // A current version loads AGENTS.md and CLAUDE.md of its working directory itself.
    current ? '' : await readCheckoutMemory(request.cwd),
  ];
  const prompt = parts.filter((part) => part !== '').join('\n\n');
  const servers: Record<string, McpServerConfig> = {
    ...Object.fromEntries(
      mcpServers.map((server) => [server.id, toClaudeServer(reachServer(server, request))]),
    ),
    svc: request.sandbox?.bridge
      ? { type: 'stdio', ...buildBridgeStart(sessionDir), env: {}, alwaysLoad: true }
      : {
          type: 'http',
          url: tools.url,
          headers: { Authorization: `Bearer ${tools.token}` },
          alwaysLoad: true,
        },
  };
  if (settings.apiKey === null && request.sandbox)
    throw new SvcError(
      'bad-argument',
      'claude is logged in with a token or your login, which cannot be handed into a sandbox. Set apiKey in plugins.installed.claude.config, or runner.sandbox to off.',
    );
  if (settings.loginDir !== null && !current)
    throw new SvcError(
      'bad-argument',
      `Claude Agent SDK ${version} cannot use your login (loginDir). Install a current version, or remove sdkDir to use the program claude.`,
    );
  const model = llm.model ?? settings.model;
  return {
    cwd: request.cwd,
    env: buildClaudeSessionEnv(request, settings),
    ...(model === null ? {} : { model }),
    ...(llm.reasoningEffort === null ? {} : { effort: llm.reasoningEffort }),
    ...(resume === null ? {} : { resume }),
    // A program that continues a session counts its earlier cost too, and would end at once.
    ...(resume === null && limits.usd !== undefined && limits.usd > 0
      ? { maxBudgetUsd: limits.usd }
      : {}),
    // Without `snapshot: false` a continued session keeps the prompt of its first phase, and
    // reports nothing.
    systemPrompt: current ? { type: 'custom', prompt, snapshot: false } : prompt,
    // Settings of the checkout could run hooks and send the key elsewhere; those of the overlay
    // were allowed.
    ...(current && (await isExistingFolder(overlayDir))
      ? { settingSources: ['project'], projectConfigRoot: overlayDir }
      : { settingSources: [] }),
    strictMcpConfig: true,
    // Older programs take servers from arguments, which everybody can read, or from a file named by
    // an argument.
    ...(current
      ? { mcpServers: servers, mcpServersDelivery: 'initialize' as const }
      : { mcpServers: {}, extraArgs: { 'mcp-config': resolveServersFile(sessionDir) } }),
    ...(chat === null ? buildClaudeRules(request) : buildChatRules(chat)),
    // What is not allowed in advance is denied: there is no one to ask.
    permissionMode: 'dontAsk',
    includePartialMessages: true,
    ...(request.guard ? { hooks: { PreToolUse: [{ hooks: [createCallHook(request)] }] } } : {}),
    settings: {
      // In a variable, the key would be in the environment of every command and tool server.
      ...(settings.apiKey === null ? {} : { apiKeyHelper: buildKeyCommand(sessionDir) }),
      attribution: { commit: '', pr: '' },
      includeCoAuthoredBy: false,
      disableAllHooks: true,
    },
    spawnClaudeCodeProcess: spawn,
  };
}

/**
 * The variables that the SDK sets for its program. Older versions hand over the runner's whole
 * environment, which is not for agents.
 */
export const pickSdkVariables = (
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    OWN_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const OWN_VARIABLES = ['CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_AGENT_SDK_VERSION'];

export interface ClaudeSessionOptions extends LoadedSdk {
  request: SessionRequest;
  settings: ClaudeSettings;
  clock: Clock;
  /** Wait between SIGTERM and SIGKILL at the end of the session, ms. */
  graceMs: number;
  /** Default: it is a session of a job. */
  chat?: ClaudeChat;
}
