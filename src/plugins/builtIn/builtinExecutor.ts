import { listEndpointModels } from '../../executors/builtin/endpoint.ts';
import {
  BUILTIN_CAPABILITIES,
  createBuiltinExecutor,
} from '../../executors/builtin/createBuiltinExecutor.ts';
import { BUILTIN_SETTINGS, readBuiltinSettings } from '../../executors/builtin/settings.ts';
import { definePlugin, type PluginOf } from '../../contract/runner/plugin.ts';
import type { BuiltInPlugin } from '../../providers/rest/builtInPlugin.ts';

export const builtinPlugin: BuiltInPlugin<PluginOf<'executor'>> = {
  manifest: {
    contract: 1,
    id: 'builtin',
    kind: 'executor',
    title: 'svc’s own coding agent, with any model behind an Anthropic or OpenAI API',
    entry: 'built-in',
    capabilities: BUILTIN_CAPABILITIES,
    offers: ['healthcheck', 'models'],
    settings: BUILTIN_SETTINGS,
  },
  plugin: definePlugin({
    kind: 'executor',
    create({ clock, config }) {
      const settings = readBuiltinSettings(config);
      return {
        ...createBuiltinExecutor({ clock, settings }),
        models: () => listEndpointModels(settings),
      };
    },
    // Without an endpoint: the kit tries on any machine, and a session without a model says
    // nothing.
    samples: { config: { api: 'openai' } },
  }),
};
