import { TURN_SETTINGS } from '../process/turnWatch.ts';
import type { PluginSetting } from '../../contract/schema/runner/plugin.ts';

export const CLAUDE_SETTINGS: Record<string, PluginSetting> = {
  apiKey: {
    type: 'string',
    description: 'Key for the Anthropic API.',
    secret: true,
    env: 'ANTHROPIC_API_KEY',
  },
  oauthToken: {
    type: 'string',
    description: 'Token of `claude setup-token`, used where there is no key; not inside a sandbox.',
    secret: true,
    env: 'CLAUDE_CODE_OAUTH_TOKEN',
  },
  loginDir: {
    type: 'string',
    description:
      'Folder with your login of Claude Code, such as /home/ana/.claude: naming it lets sessions use that login where no key and no token is set. They share the limits of its plan with you, and cannot run in a sandbox.',
  },
  baseUrl: {
    type: 'string',
    description: 'Address of an endpoint without /v1; default: the vendor endpoint.',
  },
  model: {
    type: 'string',
    description: 'Model for phases without one; default: the program decides.',
  },
  ...TURN_SETTINGS,
  claudePath: {
    type: 'string',
    description:
      'Program of Claude Code to use instead of the SDK; default: claude on the PATH where the SDK is not installed.',
  },
  sdkDir: {
    type: 'string',
    description:
      'Folder into which the SDK was installed (npm install --prefix <folder>); default: beside svc.',
  },
};
