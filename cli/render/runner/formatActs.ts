import type { RecordedAct } from '../../../src/contract/schema/runner/audit.ts';
import type { Io } from '../../io.ts';
import { formatLocalTime } from '../text/formatTimeWithAgo.ts';
import { renderTable } from '../text/renderTable.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const HEADER = ['#', 'Time', 'Who', 'From', 'Action', 'Job', 'Target'] as const;

const formatWho = ({ via, person }: RecordedAct): string =>
  person === null ? via : `${person} (${via})`;

function formatTarget({ target, failed }: RecordedAct): string {
  const values = Object.entries(target).map(([name, value]) => `${name}=${value}`);
  return [...values, ...(failed === null ? [] : [`failed: ${failed}`])].join(' ');
}

/** Entries of the audit log of a runner as a table, in the order in which they come. */
export const formatActs = (
  acts: readonly RecordedAct[],
  io: Pick<Io, 'color' | 'columns'>,
): string =>
  renderTable(
    HEADER,
    acts.map((act) =>
      [
        String(act.n),
        formatLocalTime(act.at),
        formatWho(act),
        act.address ?? '-',
        act.action,
        act.jobId ?? '-',
        formatTarget(act),
      ].map(toPrintableLine),
    ),
    io,
  );
