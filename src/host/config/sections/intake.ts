import Type from 'typebox';
import { section } from './fieldSchemas.ts';

export const Intake = Type.Object(
  {
    toolsEnabled: Type.Boolean({
      default: true,
      description: 'Whether plan-mode chats may search for information.',
    }),
  },
  { ...section, title: 'Plan-mode chats' },
);
