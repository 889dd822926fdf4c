import { SvcError } from '../../../lib/errors.ts';
import { allows, type Preset, setting } from './preset.ts';

/** Their tools by what a phase calls them. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  read: ['read_file', 'read_many_files', 'list_directory'],
  write: ['write_file'],
  edit: ['replace'],
  shell: ['run_shell_command'],
  glob: ['glob'],
  grep: ['grep_search', 'search_file_content'],
  skill: ['activate_skill'],
};

export const gemini: Preset = {
  id: 'gemini',
  install: 'Install it with `npm install -g @google/gemini-cli`, or name the program in plugins.installed.acp.config.geminiPath.',
  toolForm: 'mcp_svc_goto_phase',
  loadsMemory: false,
  loadsSkills: false,

  launch({ request, config, dir, home, systemPrompt }) {
    const key = setting(config, 'geminiApiKey');
    if (key === null) {
      throw new SvcError(
        'bad-argument',
        `Phase ${request.phase} runs on acp:gemini, which has no key. Set geminiApiKey in plugins.installed.acp.config.`,
      );
    }
    const model = request.llm.model ?? setting(config, 'geminiModel');
    const baseUrl = setting(config, 'geminiBaseUrl');
    const core = Object.entries(TOOLS).flatMap(([tool, names]) => (allows(request, tool) ? names : []));
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      ...(request.builtInTools === null ? {} : { tools: { core } }),
      // What a repository configures of servers would run without anybody having allowed it.
      mcp: { allowed: ['svc', ...request.mcpServers.map(({ id }) => id)] },
    };
    return {
      program: setting(config, 'geminiPath') ?? 'gemini',
      args: ['--acp', '--skip-trust', ...(model === null ? [] : ['--model', model])],
      env: {
        GEMINI_API_KEY: key,
        ...(baseUrl === null ? {} : { GOOGLE_GEMINI_BASE_URL: baseUrl }),
        // Settings of the system are stronger than those of the repository, but are left out where a folder above them can be
        // written to by others; then those of the user count.
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${dir}/settings.json`,
        GEMINI_CLI_HOME: home,
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
      files: {
        'settings.json': JSON.stringify(settings),
        [`${home}/.gemini/settings.json`]: JSON.stringify(settings),
        [`${home}/.gemini/GEMINI.md`]: systemPrompt,
      },
      secrets: [key],
      authMethod: 'gemini-api-key',
      meta: null,
      mode: null,
      takesSystemPrompt: true,
      narrows: false,
      notes: [],
    };
  },
};
