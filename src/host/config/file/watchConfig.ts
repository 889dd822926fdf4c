import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '../../../base/time/clock.ts';

/** An editor writes more than once: the file is read this long after the last time, ms. */
export const QUIET_MS = 200;

/** Calls `onChange` for a name in the folder, or null where the system does not say which. */
export type WatchFolder = (folder: string, onChange: (name: string | null) => void) => () => void;

const watchFolder: WatchFolder = (folder, onChange) => {
  let watcher: FSWatcher;
  try {
    watcher = watch(folder, { persistent: false }, (_kind, name) => onChange(name));
  } catch {
    // A folder that cannot be watched: SIGHUP and every request still read the file.
    return () => {};
  }
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
};

/** The file and, if it is a link, its target. */
function listWatchedPaths(file: string): Set<string> {
  const places = new Set([file]);
  try {
    places.add(realpathSync(file));
  } catch {
    // It does not exist.
  }
  return places;
}

/**
 * Calls `changed` soon after the file was written, replaced, removed or created. Folders are watched,
 * not the file: editors put a new one in its place. Of a link, that of its target too, wherever it leads by then. Returns
 * what ends it.
 */
export function watchConfigFile(
  file: string,
  {
    clock,
    onChange: changed,
    inFolder = watchFolder,
  }: { clock: Clock; onChange(): void; inFolder?: WatchFolder },
): () => void {
  let cancel = (): void => {};
  const watchers = new Map<string, () => void>();
  const watchPlaces = (): void => {
    const places = listWatchedPaths(file);
    for (const [place, end] of watchers) if (!places.has(place) && watchers.delete(place)) end();
    for (const place of places)
      if (!watchers.has(place)) watchers.set(place, inFolder(dirname(place), onName(place)));
  };
  const onName = (place: string) => (name: string | null) => {
    if (name !== null && name !== basename(place)) return;
    cancel();
    cancel = clock.at(clock.now() + QUIET_MS, () => {
      watchPlaces();
      changed();
    });
  };
  watchPlaces();
  return () => {
    cancel();
    for (const end of watchers.values()) end();
  };
}
