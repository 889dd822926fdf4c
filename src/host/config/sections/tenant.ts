import Type from 'typebox';
import { Address, folder, Secret, section, word } from './fieldSchemas.ts';

export const Tenant = Type.Object(
  {
    displayName: Type.Optional(
      Type.String({ ...word, description: 'Name to show. Default: the host name.' }),
    ),
    overlay: Type.Object(
      {
        kind: Type.Optional(
          Type.Enum(['none', 'localDir', 'gitRemote', 'cloudBlob'], {
            description:
              'Where the tenant layer comes from. cloudBlob: the overlay of the team at its control plane. Default: gitRemote if intelligence.gitRemote is set, cloudBlob on a machine that is paired with a team, else none.',
          }),
        ),
        path: Type.Optional(
          Type.String({
            ...folder,
            description:
              'Folder of a localDir overlay, or a folder in the repository of a gitRemote one.',
          }),
        ),
        url: Type.Optional(
          Address('Git repository of a gitRemote overlay: https://, ssh:// or file://.'),
        ),
        ref: Type.Optional(
          Type.String({
            ...word,
            description: 'Branch or commit of it. Default: its default branch.',
          }),
        ),
        username: Type.Optional(
          Type.String({
            ...word,
            description: 'User of its https login. Default: x-access-token.',
          }),
        ),
        token: Type.Optional(Secret('Password or token of its https login.')),
      },
      { ...section, title: 'Layer of markdown over the base layer' },
    ),
  },
  { ...section, title: 'Team' },
);
