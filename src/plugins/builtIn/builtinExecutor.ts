import { endpointModels } from '../../executors/builtin/endpoint.ts';
import { BUILTIN_CAPABILITIES, builtinExecutor } from '../../executors/builtin/executor.ts';
import { BUILTIN_SETTINGS, builtinSettings } from '../../executors/builtin/settings.ts';
import { definePlugin, type PluginOf } from '../../contract/plugin.ts';
import type { BuiltIn } from '../../providers/rest/pair.ts';

export const builtinPlugin: BuiltIn<PluginOf<'executor'>> = {
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
      const settings = builtinSettings(config);
      return {
        ...builtinExecutor({ clock, settings }),
        models: () => endpointModels(settings),
      };
    },
    // Without an endpoint: the kit tries on any machine, and a session without a model says
    // nothing.
    samples: { config: { api: 'openai' } },
  }),
};
