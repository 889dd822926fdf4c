import { SvcError } from '../../../base/errors/errors.ts';
import { toPlainIds } from '../../process/toPlainIds.ts';
import {
  readAcpSetting,
  describeAgentWork,
  allowsBuiltInTool,
  type AcpConfig,
  type Preset,
} from './preset.ts';
import type { SessionRequest } from '../../../contract/session/executor.ts';

/** Gemini's tools by their name in a phase. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'read_many_files', 'list_directory'],
  write: ['write_file'],
  edit: ['replace'],
  shell: ['run_shell_command'],
  glob: ['glob'],
  grep: ['grep_search', 'search_file_content'],
  skill: ['activate_skill'],
};

interface Rule {
  tools: readonly string[];
  decision: 'allow' | 'deny';
  /** The higher one counts. */
  priority: number;
}

/**
 * Rules for single servers do not work: when a tool is called, 0.61 gives its server another name
 * (`mcp_svc`) than when it is shown. The servers are declared elsewhere.
 */
const SERVERS: Rule = { tools: ['mcp_*'], decision: 'allow', priority: 300 };

function buildGeminiRules(request: Pick<SessionRequest, 'builtInTools'>): Rule[] {
  if (request.builtInTools === null) return [SERVERS];
  const own = Object.entries(TOOLS).flatMap(([tool, names]) =>
    allowsBuiltInTool(request, tool) ? names : [],
  );
  return [
    // A tool that is denied altogether is not shown to the model.
    { tools: ['*'], decision: 'deny', priority: 100 },
    ...(own.length === 0 ? [] : [{ tools: own, decision: 'allow' as const, priority: 200 }]),
    SERVERS,
  ];
}

/**
 * A policy file that limits the Gemini CLI to the tools of its phase. The setting `tools.core`
 * would hide the tools of servers too, with a rule above those that allow a server.
 */
const renderGeminiPolicy = (request: Pick<SessionRequest, 'builtInTools'>): string =>
  buildGeminiRules(request)
    .map(({ tools, decision, priority }) => {
      // These names contain no quote and no backslash, so a JSON string is a TOML string.
      const lines = [
        `toolName = ${JSON.stringify(tools)}`,
        `decision = "${decision}"`,
        `priority = ${priority}`,
      ];
      return ['[[rule]]', ...lines, ''].join('\n');
    })
    .join('\n');

const resolveGeminiProgram = (config: AcpConfig): string =>
  readAcpSetting(config, 'geminiPath') ?? 'gemini';

/**
 * Nothing listens there. The session's servers are passed over the protocol and replace these.
 */
const NOWHERE = 'http://127.0.0.1:9';

export const gemini: Preset = {
  id: 'gemini',
  settings: { key: 'geminiApiKey', model: 'geminiModel' },
  pathSetting: 'geminiPath',
  install:
    'Install it with `npm install -g @google/gemini-cli`, or name the program in plugins.installed.acp.config.geminiPath.',
  program: resolveGeminiProgram,
  describeMissing: (config) =>
    readAcpSetting(config, 'geminiApiKey') === null
      ? 'no key is set (geminiApiKey in plugins.installed.acp.config)'
      : null,
  toolPrefix: 'mcp_svc_',
  loadsMemory: false,
  loadsSkills: false,
  loadsCheckoutMemory: false,
  servesHttp: false,
  cannotChat: null,
  reportsUsage: 'each-turn',

  launch({ request, config, dir, home, systemPrompt, chat }) {
    const key = readAcpSetting(config, 'geminiApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `${describeAgentWork({ request, chat })} runs on acp:gemini, which has no key. Set geminiApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? readAcpSetting(config, 'geminiModel');
    const baseUrl = readAcpSetting(config, 'geminiBaseUrl');
    const policies = `${dir}/policies`;
    const servers = ['svc', ...toPlainIds(request.mcpServers.map(({ id }) => id)).values()];
    const settings = {
      // These override the settings of the checkout: no hooks, no commands that find or call tools,
      // no servers under our names.
      hooksConfig: { enabled: false },
      tools: { enableHooks: false, discoveryCommand: '', callCommand: '' },
      mcpServers: Object.fromEntries(servers.map((id) => [id, { httpUrl: NOWHERE }])),
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    };
    return {
      program: resolveGeminiProgram(config),
      args: [
        '--acp',
        '--skip-trust',
        // Arguments take effect whatever the repository's settings say.
        '--policy',
        policies,
        '--admin-policy',
        policies,
        '--allowed-mcp-server-names',
        servers.join(','),
        ...(model === null ? [] : ['--model', model]),
      ],
      env: {
        GEMINI_API_KEY: key,
        ...(baseUrl === null ? {} : { GOOGLE_GEMINI_BASE_URL: baseUrl }),
        // System settings override those of the repository, but are ignored where others can write
        // to a folder above them; then the user's settings count.
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${dir}/settings.json`,
        GEMINI_CLI_HOME: home,
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
      files: {
        'settings.json': JSON.stringify(settings),
        [`${home}/.gemini/settings.json`]: JSON.stringify(settings),
        'policies/svc.toml': renderGeminiPolicy(request),
        [`${home}/.gemini/GEMINI.md`]: systemPrompt,
      },
      secrets: [key],
      authMethod: 'gemini-api-key',
      meta: null,
      mode: null,
      takesSystemPrompt: true,
      leavings: [],
      events: null,
      narrows: false,
      readsServers: false,
      notes: [],
    };
  },
};
