import Type from 'typebox';
import { closed, describe, IsoTime, nullable } from '../kit/schemaKit.ts';

/** Most entries of one page. */
export const MOST_AUDIT_ENTRIES = 1000;

const EntryNumber = Type.Integer({ minimum: 0 });

export const AuditQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The entries that follow this number, the oldest first.',
      }),
    ),
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The newest entries below this number.' }),
    ),
    since: Type.Optional(describe(IsoTime, 'Only entries from this time on.')),
    person: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Only entries of the user with this ID or name. The name is the one at that time, in any case.',
      }),
    ),
    action: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only entries with this action.' }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_AUDIT_ENTRIES,
        description: 'Entries of a page. Default: 100.',
      }),
    ),
  },
  closed,
);
export type AuditQuery = Type.Static<typeof AuditQuery>;

export const AuditEntry = Type.Object({
  n: describe(EntryNumber, 'Its number in the team: 1, 2, 3 … without a gap.'),
  at: describe(IsoTime, 'When it was asked for.'),
  userId: nullable(
    Type.String({ description: 'Who asked; null = a runner or the control plane.' }),
  ),
  person: nullable(Type.String({ description: 'The name at that time.' })),
  address: nullable(Type.String({ description: 'Network address of the request.' })),
  action: Type.String({ description: 'Name of the operation, as in /openapi.json, or login.' }),
  target: describe(
    Type.Record(Type.String(), Type.String()),
    'What it was about: the values in the address of the request.',
  ),
  failed: nullable(
    Type.String({ description: 'Code of the error with which it ended; null = it was asked for.' }),
  ),
  refersTo: nullable(describe(EntryNumber, 'The entry that failed, where one was written before.')),
  hash: Type.String({ description: 'SHA-256 of this entry and, through them, of all before it.' }),
});
export type AuditEntry = Type.Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: 'In the order of their numbers.' }),
  previous: Type.String({
    description: 'Hash of the entry before the first one of the page; empty = none.',
  }),
  head: describe(
    Type.Object({ n: EntryNumber, hash: Type.String() }),
    'Number and hash of the newest entry of the team.',
  ),
});
export type AuditPage = Type.Static<typeof AuditPage>;

/** Most entries that GET /teams/:teamId/audit/check checks. */
export const MOST_CHECKED_ENTRIES = 10_000;

/** Reply of GET /teams/:teamId/audit/check. */
export const TeamAuditCheck = Type.Object({
  from: describe(EntryNumber, 'Number of the first entry that was checked; 0 = the log is empty.'),
  checked: Type.Integer({ minimum: 0, description: 'How many entries are as they were written.' }),
  isComplete: Type.Boolean({
    description: `Whether the check began with the oldest entry; false = the log has more than ${MOST_CHECKED_ENTRIES.toLocaleString('en')}, and older ones were left out.`,
  }),
  head: describe(
    Type.Object({ n: EntryNumber, hash: Type.String() }),
    'Number and hash of the newest entry of the team.',
  ),
  fault: nullable(
    Type.Object({ n: EntryNumber, reason: Type.Enum(['changed', 'missing']) }),
    'The first entry that is wrong; null = none.',
  ),
});
export type TeamAuditCheck = Type.Static<typeof TeamAuditCheck>;
