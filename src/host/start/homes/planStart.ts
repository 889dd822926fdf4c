import { chainEntryHash } from '../../../base/system/homes/chainEntryHash.ts';
import { isCheckpointShorter } from '../../../cloudLink/homes/checkpointPace.ts';
import type { HomeState } from '../../../contract/schema/cloud/home.ts';
import type { LogPosition } from '../../../kernel/sqlite/log/homeLog.ts';
import type { FileStanding } from '../../../kernel/sqlite/log/fileStanding.ts';

/**
 * What a start does with the file on its disk:
 *
 * - `keep`: it has everything that the control plane has, and perhaps entries beyond it.
 * - `follow`: it is older; the entries after it are replayed into it.
 * - `rebuild`: nothing on the disk is of use. `isWorthKeeping`: the file is put aside.
 * - `overtaken`: its last entries were not acknowledged, and the control plane has others since.
 * - `diverged`: it has another history. A person decides which one counts.
 */
export type StartPlan =
  | { act: 'keep' }
  | { act: 'follow' }
  | { act: 'rebuild'; isWorthKeeping: boolean }
  | { act: 'overtaken' }
  | { act: 'diverged'; detail: string };

type KnownHead = Pick<
  HomeState,
  'generation' | 'head' | 'hash' | 'storeVersion' | 'entriesAfter' | 'checkpoint'
>;

/** `file`: null = no file exists. */
export function planStart(file: FileStanding | null, home: KnownHead): StartPlan {
  if (file === null) return { act: 'rebuild', isWorthKeeping: false };
  const { position, generation } = file;
  if (position === null)
    return diverge('it has no log, and the control plane has one of this home');
  if (home.generation < generation)
    return diverge(
      `it was written under claim ${generation}, and the control plane knows ${home.generation} of them`,
    );
  if (home.head > position.n) return planBehind(file, position, home);
  const own = findOwnHash(file, position, home);
  if (own === null)
    return diverge(
      `it is at entry ${position.n}, and the control plane, which had acknowledged more than it has now, is at ${home.head}`,
    );
  return own === home.hash ? { act: 'keep' } : planForMismatch(file, home);
}

const diverge = (detail: string): StartPlan => ({ act: 'diverged', detail });

function planBehind(file: FileStanding, { n }: LogPosition, home: KnownHead): StartPlan {
  const { checkpoint, head, entriesAfter, storeVersion } = home;
  const isShorter = checkpoint !== null && isCheckpointShorter(checkpoint, n, head);
  // Entries are for the schema that they were written on.
  const mayFollow = n >= entriesAfter && file.storeVersion === storeVersion && !isShorter;
  return mayFollow ? { act: 'follow' } : { act: 'rebuild', isWorthKeeping: true };
}

/** The hash that the file's history has at the control plane's head; null = it is before what the file still knows. */
function findOwnHash(
  { outgoing }: FileStanding,
  { n, hash }: LogPosition,
  { head, hash: theirs }: KnownHead,
): string | null {
  if (head === n) return hash;
  const there = outgoing.find((entry) => entry.n === head);
  if (there !== undefined) return there.hash;
  const [first] = outgoing;
  if (first === undefined || first.n !== head + 1) return null;
  // The hash before the first one is known by what follows from it.
  return chainEntryHash(theirs, first) === first.hash ? theirs : '';
}

/**
 * The last entries of the file, none of which was acknowledged as far as it knows, are of earlier claims than the
 * newest one: the control plane may have others in their place.
 */
export const mayBeOvertaken = (
  { outgoing }: Pick<FileStanding, 'outgoing'>,
  { generation }: Pick<KnownHead, 'generation'>,
): boolean => outgoing.length > 0 && outgoing.every((entry) => entry.generation < generation);

/** The control plane's entry is another one than the file's with the same number. */
export function planForMismatch(file: FileStanding, home: KnownHead): StartPlan {
  if (mayBeOvertaken(file, home)) return { act: 'overtaken' };
  return diverge(
    `its entry ${Math.min(home.head, file.position?.n ?? 0)} is another one than that of the control plane`,
  );
}
