import Type from 'typebox';
import { section } from './fieldSchemas.ts';

export const Proposals = Type.Object(
  {
    routing: Type.Object(
      {
        strategy: Type.Enum(['path', 'agent'], {
          default: 'path',
          description:
            'path: .svc/** to the repository, the rest to the tenant. agent: the agent names the layer.',
        }),
      },
      { ...section, title: 'Which layer a proposal goes to' },
    ),
  },
  { ...section, title: 'Proposals of agents' },
);
