import type { AuditEntry } from '../../../src/contract/schema/cloud/audit.ts';
import type { Io } from '../../io.ts';
import { formatLocalTime } from '../text/formatTimeWithAgo.ts';
import { renderTable } from '../text/renderTable.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const HEADER = ['#', 'Time', 'Person', 'Address', 'Action', 'Target'] as const;

const formatTarget = ({ target, failed, refersTo }: AuditEntry): string => {
  const values = Object.entries(target).map(([name, value]) => `${name}=${value}`);
  const end =
    failed === null ? [] : [`failed: ${failed}${refersTo === null ? '' : ` (#${refersTo})`}`];
  return [...values, ...end].join(' ');
};

/** Entries of an audit log as a table, the oldest first. */
export const formatAudit = (
  entries: readonly AuditEntry[],
  io: Pick<Io, 'color' | 'columns'>,
): string =>
  renderTable(
    HEADER,
    entries.map((entry) =>
      [
        String(entry.n),
        formatLocalTime(entry.at),
        entry.person ?? entry.userId ?? '-',
        entry.address ?? '-',
        entry.action,
        formatTarget(entry),
      ].map(toPrintableLine),
    ),
    io,
  );
