import { EmptyBody } from '../../../contract/schema/api/bodies.ts';
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
} from '../../../contract/schema/runner/plugin.ts';
import { createSecretsPatch } from '../../../shared/secrets/createSecretsPatch.ts';
import { defineJsonRoute } from '../route.ts';

const PLUGIN = '/plugins/:pluginId';

/** Names of the secret settings of a plugin; none where its manifest cannot be read. */
const listSecretSettings = (plugins: readonly PluginView[], id: string): string[] =>
  Object.entries(plugins.find((one) => one.id === id)?.settings ?? {}).flatMap(
    ([name, { secret }]) => (secret === true ? [name] : []),
  );

/** Plugins of this home: list, install, remove, check and test. */
export const pluginRoutes = [
  defineJsonRoute({
    name: 'plugins',
    access: 'read',
    method: 'GET',
    path: '/plugins',
    summary: 'Built-in and installed plugins, with the health of each.',
    reply: PluginList,
    refusals: [],
    handle: (_call, { plugins }) => plugins.list(),
  }),
  defineJsonRoute({
    name: 'installPlugin',
    access: 'write',
    method: 'POST',
    path: '/plugins/install',
    summary:
      'Installs a plugin, or another version of one, from npm, a folder or a tarball. Its scripts run only if the body allows it.',
    status: 201,
    body: InstallPluginBody,
    reply: PluginView,
    refusals: ['bad-argument', 'not-found', 'conflict', 'invalid'],
    handle: ({ body }, { plugins }) => plugins.install(body),
  }),
  defineJsonRoute({
    name: 'uninstallPlugin',
    access: 'write',
    method: 'DELETE',
    path: PLUGIN,
    summary:
      'Removes an installed plugin, with its secrets; its other settings stay in the configuration. Running sessions continue.',
    reply: null,
    refusals: ['not-found', 'not-possible-now', 'config-invalid', 'store-failed'],
    async handle({ params: { pluginId } }, { plugins, config }) {
      const secrets = listSecretSettings(plugins.list(), pluginId);
      await plugins.uninstall(pluginId);
      if (secrets.length === 0) return;
      const { reply } = await config.read();
      const change = createSecretsPatch(reply.config, pluginId, secrets);
      if (change !== null) await config.change(change.patch, null);
    },
  }),
  defineJsonRoute({
    name: 'pluginJobs',
    access: 'read',
    method: 'GET',
    path: `${PLUGIN}/jobs`,
    summary:
      'Jobs that have not ended and need this plugin as their forge or tracker, the oldest first, at most 1,000.',
    reply: PluginJobList,
    refusals: [],
    handle: ({ params }, { runner }) => runner.jobsOfPlugin(params.pluginId),
  }),
  defineJsonRoute({
    name: 'pluginModels',
    access: 'write',
    method: 'GET',
    path: `${PLUGIN}/models`,
    summary: 'The models that an executor offers.',
    reply: PluginModelList,
    refusals: ['not-possible-now', 'invalid', 'config-invalid'],
    handle: ({ params }, { plugins }) => plugins.models(params.pluginId),
  }),
  defineJsonRoute({
    name: 'checkPlugin',
    access: 'write',
    method: 'POST',
    path: `${PLUGIN}/healthcheck`,
    summary: 'Checks whether a plugin works now, and stores the result as its health.',
    body: EmptyBody,
    bodyRequired: false,
    reply: PluginHealth,
    refusals: [],
    handle: ({ params }, { plugins }) => plugins.healthcheck(params.pluginId),
  }),
  defineJsonRoute({
    name: 'testPlugin',
    access: 'write',
    method: 'POST',
    path: '/test/plugin/:pluginId',
    summary: 'Runs the conformance kit against a plugin, in a separate process. May take minutes.',
    body: EmptyBody,
    bodyRequired: false,
    reply: ConformanceReport,
    refusals: ['not-possible-now', 'config-invalid'],
    handle: ({ params }, { plugins }) => plugins.test(params.pluginId),
  }),
  defineJsonRoute({
    name: 'detectPluginAuth',
    access: 'compute',
    method: 'POST',
    path: '/config/plugins/:pluginId/auth/detect',
    summary:
      "The plugin's secret settings that the runner's environment could fill; never their values.",
    body: EmptyBody,
    bodyRequired: false,
    reply: FoundAuthList,
    refusals: ['not-possible-now'],
    handle: ({ params }, { plugins }) => plugins.detectAuth(params.pluginId),
  }),
  defineJsonRoute({
    name: 'applyPluginAuth',
    access: 'write',
    method: 'POST',
    path: '/config/plugins/:pluginId/auth/detect/apply',
    summary: 'Writes the detected secrets to the configuration file. They are never shown.',
    body: ApplyAuthBody,
    bodyRequired: false,
    reply: AppliedAuth,
    refusals: ['not-possible-now', 'config-invalid', 'store-failed'],
    async handle({ params, body }, { plugins, config }) {
      const { pluginId } = params;
      const values = plugins.foundSecrets(pluginId, body.settings);
      // Any version: only these settings are written, and their old values are not checked.
      const { reply } = await config.change(
        { plugins: { installed: { [pluginId]: { config: values } } } },
        '*',
      );
      return {
        applied: plugins
          .detectAuth(pluginId)
          .filter(({ setting }) => Object.hasOwn(values, setting)),
        restart: reply.restart,
      };
    },
  }),
];
