import { TURN_SETTINGS } from '../process/turnWatch.ts';
import type { PluginSetting } from '../../contract/schema/runner/plugin.ts';

const createAcpTextSetting = (description: string): PluginSetting => ({
  type: 'string',
  description,
});
const createAcpKeySetting = (description: string, env?: string): PluginSetting => ({
  ...createAcpTextSetting(description),
  secret: true,
  ...(env === undefined ? {} : { env }),
});

/**
 * Settings by name, as in a plugin's manifest. Each agent has its own: two can be used in one
 * workflow.
 */
export const ACP_SETTINGS: Record<string, PluginSetting> = {
  preset: {
    type: 'string',
    description:
      'The agent of phases whose provider is acp; a phase with the provider acp:gemini names its own.',
    enum: ['opencode', 'gemini', 'codex', 'claude-agent-acp', 'custom'],
    default: 'opencode',
  },
  ...TURN_SETTINGS,
  opencodePath: createAcpTextSetting('Program of opencode; default: opencode on the PATH.'),
  opencodeProvider: createAcpTextSetting(
    'Provider as opencode names it, such as anthropic or openai; not needed with opencodeBaseUrl.',
  ),
  opencodeBaseUrl: createAcpTextSetting(
    'Address of an endpoint with the version in it, such as http://127.0.0.1:11434/v1.',
  ),
  opencodeModel: createAcpTextSetting('Model of opencode for phases without one.'),
  opencodeApiKey: createAcpKeySetting('Key of the provider that opencode uses.'),
  geminiPath: createAcpTextSetting('Program of the Gemini CLI; default: gemini on the PATH.'),
  geminiBaseUrl: createAcpTextSetting('Address of an endpoint; default: the vendor endpoint.'),
  geminiModel: createAcpTextSetting('Model of the Gemini CLI for phases without one.'),
  geminiApiKey: createAcpKeySetting('Key for the Gemini API.', 'GEMINI_API_KEY'),
  codexPath: createAcpTextSetting('Program of codex-acp; default: codex-acp on the PATH.'),
  codexBaseUrl: createAcpTextSetting(
    'Address of an endpoint for the OpenAI Responses API; default: the vendor endpoint.',
  ),
  codexModel: createAcpTextSetting('Model of codex for phases without one.'),
  codexApiKey: createAcpKeySetting('Key for the OpenAI API.', 'OPENAI_API_KEY'),
  codexLoginDir: createAcpTextSetting(
    'Folder with your login of Codex, such as /home/ana/.codex: naming it lets sessions use that login where no key is set. They share the limits of its plan with you, and cannot run in a sandbox.',
  ),
  codexMode: {
    type: 'string',
    description:
      'What codex may do. full-access switches its sandbox off: use it only where everything is disposable.',
    enum: ['read-only', 'auto', 'full-access'],
    default: 'auto',
  },
  claudeAgentPath: createAcpTextSetting(
    'Program of claude-agent-acp; default: claude-agent-acp on the PATH.',
  ),
  claudeAgentBaseUrl: createAcpTextSetting(
    'Address of an endpoint without /v1; default: the vendor endpoint.',
  ),
  claudeAgentModel: createAcpTextSetting('Model of claude-agent-acp for phases without one.'),
  claudeAgentApiKey: createAcpKeySetting('Key for the Anthropic API.', 'ANTHROPIC_API_KEY'),
  command: createAcpTextSetting(
    'Command line of the agent of acp:custom; quotes keep blanks together.',
  ),
  key: createAcpKeySetting('Key that the agent of acp:custom gets in its environment.'),
  keyVariable: createAcpTextSetting('Environment variable in which it gets the key.'),
  authMethod: createAcpTextSetting(
    'Sign-in method of the protocol to request from acp:custom; default: none.',
  ),
  mode: createAcpTextSetting('Mode that acp:custom is switched to; default: its own.'),
};
