import { allowBody, allowDelivery, requireBody, type SomeRoutes } from './route.ts';
import Type from 'typebox';
import { WebhookReply } from '../schema/forge/forge.ts';
import { TriggerList } from '../schema/forge/trigger.ts';
import { EmptyBody } from '../schema/api/bodies.ts';
import {
  AppliedAuth,
  ApplyAuthBody,
  ConformanceReport,
  FoundAuthList,
  InstallPluginBody,
  PluginHealth,
  PluginJobList,
  PluginList,
  PluginModelList,
  PluginView,
} from '../schema/runner/plugin.ts';
import {
  VendorLoginBody,
  VendorLoginCallback,
  VendorLoginList,
  VendorLoginQuery,
  VendorLoginReply,
  VendorLoginView,
  WrittenSecrets,
} from '../schema/runner/vendorLogin.ts';

/** When a route for webhooks answers with text. */
export const WEBHOOK_CHALLENGE =
  'The delivery is a challenge of its sender, by the manifest of its plugin: the text that the sender expects back.';

export const pluginRoutes = {
  triggers: {
    access: 'read',
    team: null,
    summary:
      'Rules by which webhooks create jobs: how many each has created in the last hour, and why it last created none.',
    reply: TriggerList,
    refusals: [],
  },
  webhook: {
    access: 'own',
    team: null,
    summary:
      "Receives a delivery from a forge or tracker, signed with the plugin's secret; needs no token. Off until a secret is configured. Linear gets 200, since it takes nothing else for success.",
    body: allowDelivery(Type.Unknown({ description: 'The delivery, as the forge sends it.' })),
    status: 202,
    reply: WebhookReply,
    plainText: WEBHOOK_CHALLENGE,
    refusals: [
      'not-found',
      'unauthorized',
      'malformed',
      'too-large',
      'unreachable',
      'stopping',
      'store-failed',
    ],
  },
  plugins: {
    access: 'read',
    team: null,
    summary: 'Built-in and installed plugins, with the health of each.',
    reply: PluginList,
    refusals: [],
  },
  installPlugin: {
    access: 'write',
    team: null,
    summary:
      'Installs a plugin, or another version of one, from npm, a folder or a tarball. Its scripts run only if the body allows it.',
    status: 201,
    body: requireBody(InstallPluginBody),
    reply: PluginView,
    refusals: ['bad-argument', 'not-found', 'conflict', 'invalid'],
  },
  uninstallPlugin: {
    access: 'write',
    team: null,
    summary:
      'Removes an installed plugin, with its secrets; its other settings stay in the configuration. Running sessions continue.',
    refusals: ['not-found', 'not-possible-now', 'config-invalid', 'store-failed'],
  },
  pluginJobs: {
    access: 'read',
    team: null,
    summary:
      'Jobs that have not ended and need this plugin as their forge or tracker, the oldest first, at most 1,000.',
    reply: PluginJobList,
    refusals: [],
  },
  pluginModels: {
    access: 'write',
    team: null,
    summary: 'The models that an executor offers.',
    reply: PluginModelList,
    refusals: ['not-possible-now', 'invalid', 'config-invalid'],
  },
  checkPlugin: {
    access: 'write',
    team: null,
    summary: 'Checks whether a plugin works now, and stores the result as its health.',
    body: allowBody(EmptyBody),
    reply: PluginHealth,
    refusals: [],
  },
  testPlugin: {
    access: 'write',
    team: null,
    summary: 'Runs the conformance kit against a plugin, in a separate process. May take minutes.',
    body: allowBody(EmptyBody),
    reply: ConformanceReport,
    refusals: ['not-possible-now', 'config-invalid'],
  },
  detectPluginAuth: {
    access: 'compute',
    team: null,
    summary:
      "The plugin's secret settings that the runner's environment could fill; never their values.",
    body: allowBody(EmptyBody),
    reply: FoundAuthList,
    refusals: ['not-possible-now'],
  },
  applyPluginAuth: {
    access: 'write',
    team: null,
    summary: 'Writes the detected secrets to the configuration file. They are never shown.',
    body: allowBody(ApplyAuthBody),
    reply: AppliedAuth,
    refusals: ['not-possible-now', 'config-invalid', 'store-failed'],
  },
  // Logins of executors at their vendors (OAuth 2.0 with PKCE); of people, never of agents.
  vendorLogins: {
    access: 'read',
    team: null,
    summary:
      'Logins of executors at their vendors: those in progress, and how the last one of each ended. The address to open is only shown to the session that began it.',
    query: VendorLoginQuery,
    reply: VendorLoginList,
    refusals: [],
  },
  startVendorLogin: {
    access: 'write',
    team: null,
    summary:
      'Begins the login of an executor at its vendor. It waits ten minutes for its callback, from the same session; a restart of the runner ends it.',
    body: requireBody(VendorLoginBody),
    status: 201,
    reply: VendorLoginView,
    refusals: ['not-found', 'not-possible-now', 'conflict', 'invalid', 'unreachable'],
  },
  completeVendorLogin: {
    access: 'write',
    team: null,
    summary:
      'Completes a login with what came back from the vendor, once. The token is written to the configuration file and never shown.',
    body: requireBody(VendorLoginCallback),
    reply: VendorLoginReply,
    refusals: [
      'not-found',
      'not-possible-now',
      'forbidden',
      'bad-argument',
      'invalid',
      'unreachable',
      'config-invalid',
      'store-failed',
    ],
  },
  cancelVendorLogin: {
    access: 'write',
    team: null,
    summary: 'Cancels the login of an executor that is in progress.',
    query: VendorLoginBody,
    refusals: ['not-found'],
  },
  generateVendorToken: {
    access: 'write',
    team: null,
    summary:
      'Gets a long-lived token from the vendor of an executor, with the current login. It is written to the configuration file and never shown.',
    body: requireBody(VendorLoginBody),
    reply: WrittenSecrets,
    refusals: [
      'not-found',
      'not-possible-now',
      'forbidden',
      'bad-argument',
      'invalid',
      'unreachable',
      'config-invalid',
      'store-failed',
    ],
  },
} satisfies SomeRoutes;
