import Type from 'typebox';
import { section } from './pieces.ts';

export const Intake = Type.Object(
  {
    toolsEnabled: Type.Boolean({
      default: true,
      description: 'Whether plan-mode chats may look things up.',
    }),
  },
  { ...section, title: 'Plan-mode chats' },
);
