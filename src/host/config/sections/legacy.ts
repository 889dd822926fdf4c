import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { Address, Secret, word } from './fieldSchemas.ts';

/** ID of a plugin; the older `none` means no plugin. */
const Provider = Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$', description: 'Plugin id.' });

/** Older form of the settings of a source-control plugin. */
export const LegacyGit = Type.Object(
  {
    provider: Provider,
    workspace: Type.Optional(
      Type.String({ ...word, description: 'Workspace, group or owner of the repositories.' }),
    ),
    username: Type.Optional(Type.String({ ...word, description: 'Name to log in with.' })),
    token: Type.Optional(Secret('Access token.')),
  },
  { ...closed, title: 'Older form of plugins.installed.<provider>', deprecated: true },
);

const LegacyTrackerBlock = Type.Object(
  {
    baseUrl: Type.Optional(Address('Address of the tracker.')),
    username: Type.Optional(Type.String({ ...word, description: 'Name to log in with.' })),
    token: Type.Optional(Secret('Access token.')),
    apiKey: Type.Optional(Secret('API key.')),
    teamKey: Type.Optional(Type.String({ ...word, description: 'Key of the team.' })),
  },
  closed,
);

/** Older settings of a tracker plugin: `provider`, and a block under each provider's name. */
export const LegacyTracker = Type.Object(
  { provider: Provider },
  {
    additionalProperties: LegacyTrackerBlock,
    title: 'Older form of plugins.installed.<provider>',
    deprecated: true,
  },
);
