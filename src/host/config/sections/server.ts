import Type from 'typebox';
import { section, word } from './fieldSchemas.ts';

export const Server = Type.Object(
  {
    host: Type.String({ ...word, default: '127.0.0.1', description: 'Address to listen on.' }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: 'Port to listen on; 0 = any free one.',
    }),
    auth: Type.Enum(['auto', 'required', 'off'], {
      default: 'auto',
      description:
        'What needs the token or a dashboard login. auto: every change; reading through a proxy, from another machine, and while webhooks are configured. required: everything. off: nothing.',
    }),
  },
  { ...section, title: 'HTTP' },
);
