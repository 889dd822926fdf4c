import Type from 'typebox';
import { section, word } from './fieldSchemas.ts';

/** A name, or an address of IPv4 or IPv6, with a zone (`fe80::1%eth0`) and with or without brackets. */
const ADDRESS =
  '^[A-Za-z0-9._-]+$|^\\[?[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?\\]?$';

export const Server = Type.Object(
  {
    host: Type.String({
      ...word,
      pattern: ADDRESS,
      title: 'a name or an IP address in double quotes, without http:// and without a port',
      examples: ['127.0.0.1', '::1', 'runner.example.com'],
      default: '127.0.0.1',
      description: 'Address to listen on.',
    }),
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
