import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { PLUGIN_ID } from '../../../contract/schema/runner/pluginId.ts';
import { entry, markSecret, section, word } from './fieldSchemas.ts';

/** A plugin's settings. Only its manifest knows the secret ones, so every text counts as one. */
const PluginValues = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }),
  Type.Unknown(markSecret(true)),
  {
    default: {},
    description: 'Settings of the plugin, checked by its own manifest.',
  },
);

export const PluginEntry = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'Whether the runner uses it.' }),
    config: PluginValues,
    allowHosts: Type.Optional(
      Type.Array(Type.String({ ...word }), {
        maxItems: 100,
        description:
          'Hosts on this machine or its network that the plugin may connect to. Default: none.',
      }),
    ),
  },
  { ...closed, ...entry },
);

export const Plugins = Type.Object(
  {
    installed: Type.Record(Type.String({ pattern: PLUGIN_ID.source }), PluginEntry, {
      default: {},
      description: 'Settings of plugins, by plugin id.',
    }),
  },
  { ...section, title: 'Plugins' },
);
