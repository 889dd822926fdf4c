import Type from 'typebox';
import { PairingCode } from '../../src/contract/schema/cloud/teamRunner.ts';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

/** What the commands of a control plane print with --json. */
export const cloudReplies = {
  'cloud:pair': PairingCode,
  'cloud:start': Type.Object({
    url: text,
    publicUrl: text,
    pid: Type.Integer(),
    node: text,
    version: text,
    database: text,
    ownerLink: textOrNull,
  }),
  login: Type.Object({
    url: text,
    email: textOrNull,
    team: Type.Object({ id: text, slug: text, name: text }),
    runner: Type.Object({ id: text, name: text }),
    restart: Type.Array(text),
  }),
  logout: Type.Object({ url: textOrNull, revoked: Type.Boolean(), restart: Type.Array(text) }),
};
