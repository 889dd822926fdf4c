import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../../base/errors/errors.ts';
import { parseJsonOrNull } from '../../../base/json/parseJsonOrNull.ts';
import { writePrivateFile } from '../../../base/system/files/writePrivateFile.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';

/** `state.diverged.json`: a person has to decide which history of the home counts. No runner starts until then. */
const DivergedState = Type.Object({
  /** Where the state of this machine was put. */
  file: Type.String(),
  /** The last entry that it has. */
  n: Type.Integer(),
  /** The last entry that the control plane has. */
  head: Type.Integer(),
  /** Where they differ, as a sentence. */
  detail: Type.String(),
});
export type DivergedState = Type.Static<typeof DivergedState>;

const toRecordPath = (home: string): string => join(home, 'state.diverged.json');

/** null = nothing has to be decided. */
export function readDivergedState(home: string): DivergedState | null {
  try {
    const value = parseJsonOrNull(readFileSync(toRecordPath(home), 'utf8'));
    return Check(DivergedState, value) ? value : null;
  } catch {
    return null;
  }
}

export const saveDivergedState = (home: string, state: DivergedState, ids: Ids): Promise<void> =>
  writePrivateFile(toRecordPath(home), `${JSON.stringify(state)}\n`, `${ids.next()}.draft`);

/** It was decided. */
export const removeDivergedState = (home: string): Promise<void> =>
  rm(toRecordPath(home), { force: true });

export const createDivergedError = ({ file, detail, n, head }: DivergedState): SvcError =>
  new SvcError(
    'store-failed',
    `The state of this home does not fit its log at the control plane: ${detail}. Nothing was lost: this machine's state, up to entry ${n}, was put aside as ${file}, and the control plane has its own up to entry ${head}. A person decides which one counts: svc cloud reseed.`,
    { data: { reason: 'diverged', file, n, head } },
  );
