import Type from 'typebox';
import { section } from './fieldSchemas.ts';

export const Setup = Type.Object(
  {
    completedAt: Type.Optional(
      Type.String({ maxLength: 64, description: 'When the wizard was finished, ISO 8601.' }),
    ),
    skipped: Type.Array(Type.Enum(['llm', 'scm', 'tracker']), {
      maxItems: 3,
      default: [],
      description: 'Steps that were skipped.',
    }),
  },
  { ...section, title: 'State of the setup wizard' },
);
