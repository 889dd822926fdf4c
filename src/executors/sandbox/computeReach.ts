import { isPathWithin } from '../../base/system/files/isPathWithin.ts';
import { listHiddenPlaces } from './listHiddenPlaces.ts';

/** What a session's processes may reach; everything else is read-only. */
export interface Reach {
  /** Absolute folders that are writable, also within a hidden one. */
  write: readonly string[];
  /** Absolute paths that are hidden. */
  hide: readonly string[];
  /** Absolute paths that are readable within a hidden one. */
  show: readonly string[];
  /** Hosts that are allowed, `name` or `name:port`; `*.name` is every host below it. */
  hosts: readonly string[];
}

export interface SessionPlaces {
  home: string;
  workingDir: string;
  jobDir: string;
  /** Further folders of its agents: the contracts of its campaign. */
  shared: readonly string[];
  /** Cache folders that its programs write to. Default: none. */
  caches?: readonly string[];
  /** Programs of its agents: svc itself, Node, the agent's layer. */
  programs: readonly string[];
  /** Home folder of the person who runs svc. */
  personHome: string;
}

/** Private to each session, writable, empty at the start. */
export const PRIVATE_TMP = '/tmp';

/** Leaves out paths that lie within another one. */
const pickOutermostPaths = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter(
    (path, _, all) => !all.some((other) => other !== path && isPathWithin(path, other)),
  );

/**
 * Of svc's folder only the job's part is reachable, of the person's home nothing with logins;
 * `/tmp` is a private, empty folder.
 */
export function computeReach(places: SessionPlaces, hosts: readonly string[]): Reach {
  const { home, workingDir, jobDir, shared, caches = [], programs, personHome } = places;
  const hide = pickOutermostPaths([home, workingDir, PRIVATE_TMP, ...listHiddenPlaces(personHome)]);
  const write = pickOutermostPaths([jobDir, ...shared, ...caches]);
  const show = pickOutermostPaths(programs).filter(
    (path) =>
      hide.some((hiddenPath) => isPathWithin(path, hiddenPath)) &&
      !write.some((folder) => isPathWithin(path, folder)) &&
      // Showing a folder would also show the hidden ones in it.
      !hide.some((hiddenPath) => hiddenPath !== path && isPathWithin(hiddenPath, path)) &&
      !isPathWithin(home, path) &&
      !isPathWithin(workingDir, path),
  );
  return { write, hide, show, hosts: [...new Set(hosts)] };
}
