import Type from 'typebox';
import { folder, section } from './fieldSchemas.ts';

export const Paths = Type.Object(
  {
    workingDir: Type.Optional(
      Type.String({ ...folder, description: 'Folder for job files. Default: work in the home.' }),
    ),
  },
  { ...section, title: 'Folders' },
);
