import Type from 'typebox';
import { Address, Secret, section } from './fieldSchemas.ts';

export const Cloud = Type.Object(
  {
    url: Type.Optional(Address('Address of the control plane.')),
    token: Type.Optional(Secret("The runner's token there.")),
  },
  { ...section, title: 'Control plane; url and token together make the mode hybrid' },
);
