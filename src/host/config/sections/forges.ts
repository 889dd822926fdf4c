import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import Type from 'typebox';
import { ChosenName, folder, section, word } from './fieldSchemas.ts';

const LocalRepoConfig = Type.Union(
  [
    Type.String({ ...folder }),
    Type.Object(
      {
        path: Type.String({ ...folder, description: 'Folder of the git repository.' }),
        defaultBranch: Type.Optional(
          Type.String({ ...word, description: 'Default: the branch of its HEAD.' }),
        ),
      },
      closed,
    ),
  ],
  { description: 'the folder of a git repository as text, or { "path", "defaultBranch" }' },
);

export const Forges = Type.Object(
  {
    local: Type.Object(
      {
        repos: Type.Record(ChosenName, LocalRepoConfig, {
          default: {},
          description: 'Git repositories on this disk, by slug.',
        }),
      },
      { ...section, title: 'Pull requests on this machine' },
    ),
  },
  { ...section, title: 'Forges' },
);
