import { formatCount } from '../../src/base/text/formatCount.ts';
import { dirname, join } from 'node:path';
import { SvcError } from '../../src/base/errors/errors.ts';
import { measureFreeSpace } from '../../src/base/system/files/measureFreeSpace.ts';
import { openRepair } from '../../src/jobs/store/repair/openRepair.ts';
import { confirmOrRefuse } from '../input/confirmOrRefuse.ts';
import { loadActorInspection } from '../local/start/runnerModule.ts';
import type { Io } from '../io.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

const SHOWN = 200;
const MB = 1024 * 1024;

export interface RepairReply {
  /** The copy of state.db from before; null = nothing was changed. */
  copy: string | null;
  /** One line for each row: what it holds, and what is done about it. */
  planned: string[];
  corrected: number;
  removed: number;
  recomputed: string[];
  /** Not repaired, with what a person can do. */
  kept: string[];
}

const NOTHING = { copy: null, corrected: 0, removed: 0, recomputed: [] };

const formatCopyName = (file: string, now: number): string =>
  `${file}.before-fix-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;

/**
 * Repairs the rows of a home's state that cannot be read: shows what is to be done, asks unless `yes`,
 * copies the state, and does all of it or nothing. Null where the person declines. Throws SvcError:
 * `locked` while a runner has the home, `bad-argument` without `yes` and without a terminal.
 */
export async function repairHome(io: Io, home: string, yes: boolean): Promise<RepairReply | null> {
  const file = join(home, 'state.db');
  const now = io.now();
  const state = openRepair(file, now, await loadActorInspection());
  try {
    const repairTexts = state.planned.map(({ text }) => text);
    const keptTexts = state.planned
      .filter(({ repair }) => repair.act === 'keep')
      .map(({ text }) => text);
    for (const text of repairTexts.slice(0, SHOWN)) io.err(`${toPrintableLine(text)}\n`);
    if (repairTexts.length > SHOWN) io.err(`… and ${repairTexts.length - SHOWN} more\n`);
    if (repairTexts.length === keptTexts.length) {
      io.err(
        keptTexts.length === 0
          ? 'All rows of the state are readable. Nothing to do.\n'
          : `${formatCount(keptTexts.length, 'row')} cannot be repaired. Nothing was changed.\n`,
      );
      return { ...NOTHING, planned: repairTexts, kept: keptTexts };
    }
    const free = await measureFreeSpace(dirname(file));
    if (free < state.bytes)
      throw new SvcError(
        'store-failed',
        `The copy of ${file} needs ${Math.ceil(state.bytes / MB)} MB, and ${Math.floor(free / MB)} MB are free on its disk. Free some space; nothing was changed.`,
      );
    const copy = formatCopyName(file, now);
    io.err(`The state is copied to ${copy} first.\n`);
    if (
      !(await confirmOrRefuse(
        io,
        yes,
        `Repair ${formatCount(repairTexts.length - keptTexts.length, 'row')}?`,
      ))
    )
      return null;
    const { corrected, removed, recomputed } = state.repair(copy);
    return { copy, planned: repairTexts, corrected, removed, recomputed, kept: keptTexts };
  } finally {
    state.close();
  }
}

export function formatRepairReply({
  copy,
  corrected,
  removed,
  recomputed,
  kept,
}: RepairReply): string {
  if (copy === null) return '';
  const doneTexts = [
    ...(corrected > 0 ? [`${formatCount(corrected, 'row')} corrected`] : []),
    ...(removed > 0 ? [`${formatCount(removed, 'row')} moved to quarantined_rows`] : []),
    ...(recomputed.length > 0 ? [`computed again: ${recomputed.join(', ')}`] : []),
  ];
  const keptNote =
    kept.length === 0 ? '' : `Not repaired: ${formatCount(kept.length, 'row')}, see above.\n`;
  return `Repaired: ${doneTexts.join('; ')}.\n${keptNote}The state as it was: ${copy}\nStart the runner again with: svc start\n`;
}
