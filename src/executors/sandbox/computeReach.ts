import { isPathWithin } from '../../shared/system/files/isPathWithin.ts';
import { listHiddenPlaces } from './listHiddenPlaces.ts';

/** What the processes of a session may reach; everything else may be read, not written. */
export interface Reach {
  /** Absolute folders that they may write to, also where they lie in a hidden one. */
  write: readonly string[];
  /** Absolute paths that they see nothing of. */
  hide: readonly string[];
  /** Absolute paths that they may read although they lie in a hidden one. */
  show: readonly string[];
  /** Hosts that they may ask, `name` or `name:port`; `*.name` is every host below it. */
  hosts: readonly string[];
}

/** The places of one session, absolute. */
export interface SessionPlaces {
  /** svc's own folder: configuration, store, token, mirrors. */
  home: string;
  /** Where all jobs have their folders. */
  workingDir: string;
  /** The folder of this job. */
  jobDir: string;
  /** Further folders that its agents work in: the contracts of its campaign. */
  shared: readonly string[];
  /** What its agents are started from: svc itself, Node, the layer of the agent. */
  programs: readonly string[];
  /** Home folder of the person who runs svc. */
  personHome: string;
}

/** Private to each session, writable, and empty at its begin. */
export const PRIVATE_TMP = '/tmp';

/** Without what lies in another one of them. */
const pickOutermostPaths = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter(
    (path, _, all) => !all.some((other) => other !== path && isPathWithin(path, other)),
  );

/**
 * Of svc's folder only the job's own; of the person's home nothing that signs in somewhere; `/tmp`
 * is an empty one of its own.
 */
export function computeReach(places: SessionPlaces, hosts: readonly string[]): Reach {
  const { home, workingDir, jobDir, shared, programs, personHome } = places;
  const hide = pickOutermostPaths([home, workingDir, PRIVATE_TMP, ...listHiddenPlaces(personHome)]);
  const write = pickOutermostPaths([jobDir, ...shared]);
  const show = pickOutermostPaths(programs).filter(
    (path) =>
      hide.some((hidden) => isPathWithin(path, hidden)) &&
      !write.some((folder) => isPathWithin(path, folder)) &&
      // To show a folder that holds hidden ones would show them.
      !hide.some((hidden) => hidden !== path && isPathWithin(hidden, path)) &&
      !isPathWithin(home, path) &&
      !isPathWithin(workingDir, path),
  );
  return { write, hide, show, hosts: [...new Set(hosts)] };
}
