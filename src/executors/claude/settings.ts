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
  baseUrl: {
    type: 'string',
    description: 'Address of an endpoint without /v1; default: the vendor endpoint.',
  },
  model: {
    type: 'string',
    description: 'Model for phases without one; default: the program decides.',
  },
  ...TURN_SETTINGS,
  sdkDir: {
    type: 'string',
    description:
      'Folder into which the SDK was installed (npm install --prefix <folder>); default: beside svc.',
  },
};
