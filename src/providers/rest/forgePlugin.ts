import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { ReadWebhook } from '../../contract/forge/hook.ts';
import type { BuiltInForgePlugin } from '../../contract/forge/builtInForge.ts';
import type { PluginContext } from '../../contract/runner/plugin.ts';
import type { BuiltInPlugin } from './builtInPlugin.ts';

const DEFAULT_PER_JOB = 600;
export const DEFAULT_POLL_SECONDS = 60;

/** A remote forge that is part of svc. */
export interface BuiltInForge extends BuiltInPlugin<BuiltInForgePlugin> {
  /**
   * Reads deliveries to `POST /webhooks/<id>`, signed with the setting `webhookSecret`; with null, those that the control
   * plane has verified.
   */
  readWebhook(secret: string | null): ReadWebhook;
}

/** Whose comments and reviews count; every forge has these settings. */
export const WAKE_SETTINGS = {
  wakeAuthors: {
    type: 'string',
    default: '',
    description:
      'Comma-separated logins whose comments and reviews wake jobs; * = everyone; default: members of the repository.',
  },
  ignoreAuthors: {
    type: 'string',
    default: '',
    description: 'Comma-separated logins that never wake a job.',
  },
} as const satisfies PluginManifest['settings'];

export const POLL_SETTINGS = {
  pollSeconds: {
    type: 'integer',
    default: DEFAULT_POLL_SECONDS,
    description: 'Seconds between two polls of the pull requests.',
  },
} as const satisfies PluginManifest['settings'];

/** Settings of every remote forge. */
export const REMOTE_FORGE_SETTINGS = {
  ...WAKE_SETTINGS,
  selfIsPerson: {
    type: 'boolean',
    default: false,
    description:
      "A person also uses the token's account: their comments wake jobs; only what svc wrote does not.",
  },
  ...POLL_SETTINGS,
  requestsPerJob: {
    type: 'integer',
    default: DEFAULT_PER_JOB,
    description: 'Maximum requests of one job per hour.',
  },
  webhookSecret: {
    type: 'string',
    secret: true,
    description: 'Secret for its webhooks; empty = none are accepted.',
  },
} as const satisfies PluginManifest['settings'];

export const readRequestsPerJob = ({ requestsPerJob }: PluginContext['config']): number =>
  Number(requestsPerJob ?? DEFAULT_PER_JOB);
