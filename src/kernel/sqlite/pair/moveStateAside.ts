import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What belongs to a state.db beside it. */
export const BESIDE = ['-manifest', '-wal', '-journal', '-shm'];
/** Files of one kind that are kept, the newest ones. */
const KEPT_ASIDE = 2;

/**
 * Renames a state and what lies beside it: `state.db` to `state.db.<ending>`, `state.db-wal` to
 * `state.db.<ending>-wal`. Called again after a kill it completes that. Only while no process holds
 * it. Returns the new path of the state; null = only what lay beside it was moved, or nothing.
 */
export function moveStateAside(file: string, ending: string): string | null {
  const hasState = existsSync(file);
  let aside = `${file}.${ending}`;
  if (hasState) {
    for (let more = 2; existsSync(aside); more += 1) aside = `${file}.${ending}-${more}`;
    renameSync(file, aside);
  }
  for (const end of BESIDE)
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${aside}${end}`);
  return hasState ? aside : null;
}

/** Removes all but the newest states that were put aside with an ending that begins like this. */
export function pruneStatesAside(file: string, beginning: string): void {
  const folder = dirname(file);
  const start = `${basename(file)}.${beginning}`;
  const states = readdirSync(folder)
    .filter((name) => name.startsWith(start) && !BESIDE.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const state of states.slice(KEPT_ASIDE))
    for (const end of ['', ...BESIDE]) rmSync(`${state}${end}`, { force: true });
}
