import Type from 'typebox';
import { folder, section, word } from './pieces.ts';

export const Tenant = Type.Object(
  {
    displayName: Type.Optional(Type.String({ ...word, description: 'Name to show. Default: the host name.' })),
    overlay: Type.Object(
      {
        kind: Type.Enum(['none', 'localDir', 'gitRemote', 'cloudBlob'], {
          default: 'none',
          description: 'Where the tenant layer comes from.',
        }),
        path: Type.Optional(Type.String({ ...folder, description: 'Folder of a localDir overlay.' })),
      },
      { ...section, title: 'Layer of markdown over the base layer' },
    ),
  },
  { ...section, title: 'Team' },
);
