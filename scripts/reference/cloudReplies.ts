import Type from 'typebox';
import { AuditEntry } from '../../src/contract/schema/cloud/audit.ts';
import { Team } from '../../src/contract/schema/cloud/team.ts';
import { NewWebhook, TeamWebhookList } from '../../src/contract/schema/cloud/webhook.ts';
import { TeamRole } from '../../src/contract/schema/cloud/teamRole.ts';
import { PairingCode } from '../../src/contract/schema/cloud/teamRunner.ts';

const text = Type.String();
const integerOrNull = Type.Union([Type.Integer(), Type.Null()]);
const textOrNull = Type.Union([text, Type.Null()]);

/** Where people log in: `svc cloud issuer`. */
const signOn = Type.Object({
  redirectUri: text,
  issuer: Type.Union([
    Type.Object({
      issuer: text,
      clientId: text,
      domains: Type.Array(text),
      scopes: Type.Array(text),
      groupsClaim: text,
      trustsEmail: Type.Boolean(),
      roles: Type.Array(Type.Object({ group: text, team: text, role: TeamRole })),
      isSecretReadable: Type.Boolean(),
      connected: Type.Integer(),
      accounts: Type.Integer(),
    }),
    Type.Null(),
  ]),
});

/** What the commands of a control plane print with --json. */
export const cloudReplies = {
  'cloud:audit': Type.Array(AuditEntry),
  'cloud:audit:verify': Type.Object({
    from: Type.Integer(),
    checked: Type.Integer(),
    head: Type.Object({ n: Type.Integer(), hash: text }),
    fault: Type.Null(),
  }),
  'cloud:delete-person': Type.Object({
    email: text,
    teams: Type.Array(text),
    runners: Type.Array(text),
    dispatches: Type.Integer(),
  }),
  'cloud:export': Type.Object({ file: text, rows: Type.Integer() }),
  'cloud:issuer:remove': Type.Object({ removed: Type.Boolean() }),
  'cloud:issuer:set': signOn,
  'cloud:issuer:show': signOn,
  'cloud:issuer:unlink': Type.Object({ email: text }),
  'cloud:owner-link': Type.Object({ url: text }),
  'cloud:pair': PairingCode,
  'cloud:reseed': Type.Object({
    done: Type.Boolean(),
    counts: Type.Enum(['machine', 'cloud']),
    machine: integerOrNull,
    cloud: integerOrNull,
  }),
  'cloud:reset-password': Type.Object({ url: text, email: text, expiresAt: text }),
  'cloud:rotate-key': Type.Object({
    state: Type.Enum(['prepared', 'done']),
    columns: Type.Array(
      Type.Object({ column: text, resealed: Type.Integer(), lost: Type.Integer() }),
    ),
  }),
  'cloud:team:create': Team,
  'cloud:team:delete': Type.Object({ team: text, deleted: Type.Boolean() }),
  'cloud:webhook:add': NewWebhook,
  'cloud:webhook:list': TeamWebhookList,
  'cloud:webhook:remove': Type.Object({ plugin: text, removed: Type.Boolean() }),
  'cloud:webhook:rotate': NewWebhook,
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
  logout: Type.Object({
    url: textOrNull,
    unsent: Type.Integer(),
    revoked: Type.Boolean(),
    restart: Type.Array(text),
  }),
};
