import { randomBytes } from 'node:crypto';
import { SvcError } from '../../../base/errors/errors.ts';
import { toPlainId } from '../../process/toPlainIds.ts';
import { renderAgentConduct } from '../../process/renderAgentConduct.ts';
import type { SessionRequest } from '../../../contract/session/executor.ts';
import {
  type AcpConfig,
  allowsBuiltInTool,
  type Preset,
  readAcpSetting,
  describeAgentWork,
} from './preset.ts';

const PROVIDER = 'svc-model';
/** Bytes of the password of its HTTP server. */
const PASSWORD_BYTES = 32;

/**
 * A plugin of our own. Since 1.18 a second loader of opencode imports the plugins of a project at
 * the first prompt, whatever --pure and OPENCODE_DISABLE_PROJECT_CONFIG say. It loads those of the
 * configuration folder first, in sequence, so it never gets past this one; and should it, no module
 * of the checkout is loaded.
 */
const GUARD = `
const checkout = process.cwd() + '/';
Bun.plugin({
  name: 'svc',
  setup(build) {
    build.onLoad({ filter: /.*/ }, ({ path }) => {
      if (path.startsWith(checkout)) throw new Error('svc lets opencode load no module of the checkout: ' + path);
    });
  },
});
await new Promise(() => {});
export default { id: 'svc', setup() {} };
`;

/** The file of the model's key, below the session's folder. */
const KEY = 'model.key';

/** A shell for the agent's commands, without the password and the configuration of opencode. */
const SHELL_SCRIPT = `#!/bin/sh
unset OPENCODE_SERVER_PASSWORD OPENCODE_CONFIG_CONTENT
SHELL=/bin/sh
[ -x /bin/bash ] && SHELL=/bin/bash
export SHELL
exec "$SHELL" "$@"
`;

const PLUGIN_PACKAGE = { dependencies: { '@opencode-ai/plugin': '*' } };
/**
 * opencode asks the npm registry for a package of its plugins in every configuration folder that
 * seems to have none installed, in the middle of an unattended session.
 */
const NOTHING_TO_INSTALL: Readonly<Record<string, string>> = {
  'config/opencode/package.json': JSON.stringify(PLUGIN_PACKAGE),
  'config/opencode/package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': PLUGIN_PACKAGE },
  }),
  'config/opencode/node_modules/.package-lock.json': JSON.stringify({ packages: {} }),
  'tmp/.keep': '',
};

/**
 * opencode's tools by the permission that each needs; one permission covers writing and editing
 * files.
 */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  edit: ['write'],
  bash: ['shell'],
  glob: ['glob'],
  list: ['glob'],
  grep: ['grep'],
  skill: ['skill'],
};

/** How long opencode waits for a tool, ms: longer than svc does. */
const TOOL_CALL_MS = 2 * 3_600_000;
/** Permissions that opencode asks svc for at each call, so that rules are checked before it. */
const ASKED: readonly string[] = ['bash', 'edit'];

/** In a chat the model has only the tools of the chat. */
const CHAT_PERMISSIONS = { '*': 'deny', 'svc_*': 'allow' };

/**
 * Denies what is not in the phase's list of tools, and for every phase the tools that ask a person.
 */
function buildOpencodePermissions(request: SessionRequest): Record<string, string> {
  const servers = ['svc', ...request.mcpServers.map(({ id }) => id)];
  const permissionEntries = Object.entries(PERMISSIONS).map(([permission, tools]) => {
    const answer = ASKED.includes(permission) ? 'ask' : 'allow';
    const isAllowed = tools.some((tool) => allowsBuiltInTool(request, tool));
    return [permission, isAllowed ? answer : 'deny'] as const;
  });
  return {
    '*': request.builtInTools === null ? 'allow' : 'deny',
    ...Object.fromEntries(permissionEntries),
    ...Object.fromEntries(servers.map((id) => [`${toPlainId(id)}_*`, 'allow'])),
    ...buildServerToolPermissions(request),
    todowrite: 'allow',
    todoread: 'allow',
    question: 'deny',
    // The checkout is the working directory, and the overlay lies beside it.
    external_directory: 'allow',
    doom_loop: 'deny',
  };
}

/** Permissions for single tools of external servers. The last rule that fits counts. */
const buildServerToolPermissions = ({ mcpServers }: SessionRequest): Record<string, string> =>
  Object.fromEntries(
    mcpServers.flatMap(({ id, allowedTools, disallowedTools }) => {
      const prefix = toPlainId(id);
      return [
        ...(allowedTools === null
          ? []
          : [
              [`${prefix}_*`, 'deny'],
              ...allowedTools.map((tool) => [`${prefix}_${tool}`, 'allow']),
            ]),
        ...disallowedTools.map((tool) => [`${prefix}_${tool}`, 'deny']),
      ];
    }),
  );

/**
 * opencode writes every failed request of the protocol to stderr as an object of many lines; the
 * answer says the same.
 */
export function isDump(): (line: string) => boolean {
  let isOpen = false;
  return (line) => {
    const was = isOpen;
    if (/^Error handling request \{/.test(line)) isOpen = true;
    else if (line === '}') isOpen = false;
    return was || isOpen;
  };
}

const resolveOpencodeProgram = (config: AcpConfig): string =>
  readAcpSetting(config, 'opencodePath') ?? 'opencode';

export const opencode: Preset = {
  id: 'opencode',
  settings: { key: 'opencodeApiKey', model: 'opencodeModel' },
  pathSetting: 'opencodePath',
  install:
    'Install it with `npm install -g opencode-ai`, or name the program in plugins.installed.acp.config.opencodePath.',
  program: resolveOpencodeProgram,
  describeMissing(config, model) {
    if (model === null && readAcpSetting(config, 'opencodeModel') === null)
      return 'no model is set (opencodeModel in plugins.installed.acp.config, or a model alias for the phase)';
    return readAcpSetting(config, 'opencodeBaseUrl') === null &&
      readAcpSetting(config, 'opencodeProvider') === null
      ? 'no provider of the model is set (opencodeProvider or opencodeBaseUrl in plugins.installed.acp.config)'
      : null;
  },
  toolPrefix: 'svc_',
  loadsMemory: true,
  loadsSkills: true,
  loadsCheckoutMemory: false,
  servesHttp: true,
  cannotChat: null,
  reportsUsage: 'each-call',

  launch({ request, config, dir, home, systemPrompt, memoryFile, skillsDir, port, chat }) {
    const model = request.llm.model ?? readAcpSetting(config, 'opencodeModel');
    const key = readAcpSetting(config, 'opencodeApiKey');
    const baseUrl = readAcpSetting(config, 'opencodeBaseUrl');
    const providerSetting = readAcpSetting(config, 'opencodeProvider');
    if (model === null || (baseUrl === null && providerSetting === null)) {
      throw new SvcError(
        'bad-argument',
        `${describeAgentWork({ request, chat })} runs on acp:opencode, which has no model. Set opencodeModel, and opencodeProvider or opencodeBaseUrl, in plugins.installed.acp.config.`,
      );
    }
    const options = {
      ...(baseUrl ? { baseURL: baseUrl } : {}),
      // In a variable, the key would be in the environment of every command and tool server.
      ...(key ? { apiKey: `{file:${dir}/${KEY}}` } : {}),
    };
    const provider = baseUrl ? PROVIDER : (providerSetting ?? PROVIDER);
    const npm = providerSetting === 'anthropic' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible';
    const providerConfig = baseUrl
      ? { npm, name: provider, options, models: { [model]: { name: model } } }
      : { options };
    const content = {
      $schema: 'https://opencode.ai/config.json',
      model: `${provider}/${model}`,
      small_model: `${provider}/${model}`,
      enabled_providers: [provider],
      provider: { [provider]: providerConfig },
      share: 'disabled',
      autoupdate: false,
      instructions:
        chat === null ? [`${dir}/system.md`, ...(memoryFile === null ? [] : [memoryFile])] : [],
      ...(skillsDir === null ? {} : { skills: { paths: [skillsDir] } }),
      permission: chat === null ? buildOpencodePermissions(request) : CHAT_PERMISSIONS,
      // Without these a refused call ends the turn, and a slow tool is given up after a minute.
      experimental: { continue_loop_on_deny: true, mcp_timeout: TOOL_CALL_MS },
      // The title is a request of its own at the beginning of a session, and opencode mixes its
      // answer with the first one.
      agent: {
        title: { disable: true },
        // Replaces opencode's own instructions, which forbid a commit that no one has asked for and
        // ask for answers of four lines.
        build:
          chat === null
            ? { prompt: renderAgentConduct(request.cwd) }
            : // At its last step it asks for words alone.
              { prompt: systemPrompt, steps: chat.maxRounds + 1 },
      },
    };
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    return {
      program: resolveOpencodeProgram(config),
      // Without --pure opencode imports the plugins of the checkout, whatever its other settings
      // are.
      args: ['acp', '--pure', '--hostname', '127.0.0.1', '--port', String(port)],
      env: {
        OPENCODE_PURE: '1',
        // opencode serves HTTP on a port of loopback, where any user of the machine could read its
        // configuration and run commands.
        OPENCODE_SERVER_PASSWORD: password,
        // opencode reads this last: a file of the repository cannot change it, and is not read at
        // all.
        OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_SHARE: '1',
        OPENCODE_DISABLE_TERMINAL_TITLE: '1',
        XDG_CONFIG_HOME: `${dir}/config`,
        XDG_STATE_HOME: `${dir}/state`,
        // opencode unpacks 5 MB of libraries there at each start and leaves them.
        BUN_TMPDIR: `${dir}/tmp`,
        SHELL: `${dir}/bin/bash`,
        XDG_DATA_HOME: `${home}/.local/share`,
        XDG_CACHE_HOME: `${home}/.cache`,
      },
      files: {
        'system.md': systemPrompt,
        ...(key ? { [KEY]: key } : {}),
        'bin/bash': SHELL_SCRIPT,
        'config/opencode/plugin/svc.js': GUARD,
        ...NOTHING_TO_INSTALL,
      },
      secrets: key ? [key, password] : [password],
      authMethod: null,
      meta: null,
      mode: null,
      takesSystemPrompt: true,
      leavings: [KEY, 'bin', 'config', 'state', 'tmp'],
      events: {
        url: `http://127.0.0.1:${port}/event`,
        authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
      },
      isNoise: isDump(),
      narrows: true,
      readsServers: false,
      notes: [],
    };
  },
};
