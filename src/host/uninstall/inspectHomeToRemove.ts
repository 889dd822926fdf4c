import { isPathWithin } from '../../base/system/files/isPathWithin.ts';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';

/** Written first and removed last: names a home whose removal was begun. */
export const REMOVAL = 'uninstall.json';
/** What says that a folder is a home; removed after everything else. */
export const RECORD = 'home.json';
export const STATE = /^state\.db(?:$|[-.])/;

/** Everything that svc puts into a home, and its folders for people's own files. */
const OWN_NAME =
  /^(?:(?:archive|blobs|caches?|chats|cloud|commands|guardrails|intelligence|logs|mirrors|plugins|programs|work|\.restore)|config\.json|(?:cloud|cloud-login|home|runner|runner\.lock|handover|failed-build|trust|uninstall)\.json(?:\..+)?|config\.json\..+|audit\.offline|push-keys\.json(?:\..+)?|(?:runner|metrics)\.token(?:\..+)?|home\.id(?:\..+)?|ca-bundle\.pem(?:\..+)?|service\.(?:cmd|xml|env)|cloud\.env(?:\..+)?|sandbox-try-.+|\.doctor-.+|state\.db(?:[-.].+)?)$/;

export const isOwnName = (name: string): boolean => OWN_NAME.test(name);

export interface HomeFolder {
  named: string;
  /** Where it is, without links. */
  path: string;
  /** Names in it that are svc's, sorted. */
  own: string[];
  /** Others: not svc's, so they stay, and with them the folder. */
  others: string[];
  begun: boolean;
}

/**
 * Looks at a home; null = it does not exist. `hasConfig`: its config.json can be read as one of svc. Throws SvcError `conflict` for a folder that no home of svc
 * can be, or that is not a home: nothing in it may be removed.
 */
export async function inspectHomeToRemove(
  namedHome: string,
  { userHome, hasConfig }: { userHome: string; hasConfig: boolean },
): Promise<HomeFolder | null> {
  const path = await realpath(namedHome).catch(() => null);
  if (path === null) return null;
  const refuse = (why: string): SvcError =>
    new SvcError(
      'conflict',
      `${namedHome} ${why}, so svc removes nothing in it. Is SVC_HOME right?`,
    );
  if (!(await lstat(path)).isDirectory()) throw refuse('is a file and not a home of svc');
  const user = await realpath(userHome).catch(() => userHome);
  if (isPathWithin(user, path)) throw refuse('contains your home folder');
  const names = await readdir(path).catch((error: unknown) => {
    throw refuse(`cannot be read (${toErrorMessage(error)})`);
  });
  const own = names.filter((name) => isOwnName(name)).sort();
  const others = names.filter((name) => !isOwnName(name)).sort();
  const isBegun = own.includes(REMOVAL);
  // A home that only a control plane has used has neither.
  const hasDatabase = await lstat(join(path, 'cloud', 'postgres.password')).catch(() => null);
  const isHome =
    isBegun ||
    hasDatabase !== null ||
    own.some((name) => name === RECORD || STATE.test(name) || name === '.restore');
  // svc init writes a configuration before the first start.
  const isFresh = others.length === 0 && (own.length === 0 || hasConfig);
  if (!isHome && !isFresh)
    throw refuse('is not a home of svc: it has neither home.json nor state.db');
  return { named: namedHome, path, own, others, begun: isBegun };
}

/** Whether the removal of this home was begun: no runner starts on it. */
export const isBeingRemoved = (home: string): Promise<boolean> =>
  lstat(join(home, REMOVAL)).then(
    () => true,
    () => false,
  );
