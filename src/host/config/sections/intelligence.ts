import Type from 'typebox';
import { Address, folder, section } from './fieldSchemas.ts';

export const IntelligenceSection = Type.Object(
  {
    dir: Type.Optional(
      Type.String({
        ...folder,
        description: 'Checkout for authoring intelligence. Default: intelligence in the home.',
      }),
    ),
    gitRemote: Type.Optional(
      Address('Git repository of the tenant overlay, if tenant.overlay is not set.'),
    ),
  },
  { ...section, title: 'Markdown of workflows and agents' },
);
