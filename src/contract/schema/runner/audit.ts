import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';
import { Limit, Offset } from '../kit/page.ts';

/** Most entries of one page. */
export const MOST_LISTED_ACTS = 1_000;
/** Entries of a page unless the query says otherwise. */
export const DEFAULT_LISTED_ACTS = 50;

/** How an act came in. */
export const ActSource = Type.Enum(['dashboard', 'cli', 'team', 'token', 'open', 'file'], {
  description:
    "dashboard: with the login of a browser. cli: svc's command line, as it says itself. team: a member, through the control plane. token: another program with the runner's token. open: without a credential, because server.auth is off. file: the configuration file was changed by hand.",
});
export type ActSource = Type.Static<typeof ActSource>;

export const RecordedAct = Type.Object({
  n: Type.Integer({ description: 'Its number; later entries have larger ones.' }),
  at: describe(IsoTime, 'When it was asked for.'),
  via: ActSource,
  person: nullable(
    Type.String(),
    'The member of the team, or the user of the system who ran svc without a runner; null = no name is known.',
  ),
  address: nullable(
    Type.String(),
    'Network address of the other end of the connection: of a proxy, where one forwards; null = without a connection.',
  ),
  action: Type.String({
    description: 'Name of the operation, as in GET /openapi.json; login: a browser was logged in.',
  }),
  target: Type.Record(Type.String(), Type.String(), {
    description:
      'What it was about, and what was decided. Never a text that a person wrote, and of settings the keys, with values that are numbers or switches.',
  }),
  jobId: nullable(Type.String(), 'The job that it was about; null = none.'),
  failed: nullable(
    Type.String(),
    'Code of the error with which it ended; null = it succeeded, or the runner ended in the middle.',
  ),
});
export type RecordedAct = Type.Static<typeof RecordedAct>;

/** Reply of GET /audit, newest first. */
export const RecordedActs = Type.Array(RecordedAct);

export const AuditLogQuery = Type.Object(
  {
    since: Type.Optional(describe(IsoTime, 'Only acts from this time on.')),
    job: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Only acts on this job.' }),
    ),
    person: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Only acts of the person with this name; case does not count for a to z.',
      }),
    ),
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only acts with this action, such as addTrust.',
      }),
    ),
    limit: Type.Optional(Limit(MOST_LISTED_ACTS, DEFAULT_LISTED_ACTS)),
    offset: Type.Optional(Offset),
  },
  closed,
);
export type AuditLogQuery = Type.Static<typeof AuditLogQuery>;
