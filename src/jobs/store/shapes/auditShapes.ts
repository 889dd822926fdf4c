import type { AuditTables } from '../../../contract/records/auditTables.ts';
import type { ActSource } from '../../../contract/schema/runner/audit.ts';
import type { Shape } from './shape.ts';

const SOURCES = {
  dashboard: true,
  cli: true,
  team: true,
  token: true,
  open: true,
  file: true,
} satisfies Record<ActSource, true>;

export const AUDIT_SHAPES: { [Name in keyof AuditTables]: Shape<AuditTables[Name]> } = {
  audit_entries: {
    n: 'count',
    at: 'time',
    via: { oneOf: SOURCES },
    person: 'text?',
    address: 'text?',
    action: 'text',
    target: 'object',
    job_id: 'text?',
    failed: 'text?',
  },
};
