import type { Entry } from './manifest.ts';

/** Most bytes of a file of a session's folder: 4 MiB. */
const MAX_SESSION_FILE_BYTES = 4 * 1024 * 1024;

/** Files that svc writes into a session's folder to record what the agent was given. */
const SESSION_FILES = new Set(['kickoff.md', 'system.md', 'session.json', 'kickoff-read']);

/** Folders of a job that are the agent's own: caches, and logins of its program. */
const AGENTS_OWN = new Set(['home', 'tmp']);

const STATE = /^state\.db(?:-wal)?$/;
const BLOB = /^blobs\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/;
const JOB = /^work\/([A-Za-z0-9][A-Za-z0-9._-]*)\/(.+)$/;
/** A checkout's folder, as `toCheckoutDir` names it. */
const CHECKOUT = /^(work\/[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*)\/\.git\/(.+)$/;
const SESSION = /^_sessions\/\d+\.\d+\/([^/]+)$/;

/**
 * Entries of a repository that are data: objects and refs. Other files of `.git` name programs,
 * change how git reads the rest, or can be made again.
 */
const GIT_DATA =
  /^(?:HEAD|packed-refs|shallow|refs\/(?:heads|tags|remotes|svc)\/.+|refs\/stash|objects\/[0-9a-f]{2}\/[0-9a-f]{38}|objects\/pack\/pack-[0-9a-f]{40}\.pack)$/;

/**
 * Whether git, on any system, could take this name for `.git`. Its case does not count, nor do
 * characters that file systems of Windows and macOS ignore.
 */
const couldBeGitFolder = (name: string): boolean =>
  /^(?:\.git|git~\d+)$/i.test(
    name.replace(/[\p{Cf}\p{Cc}]/gu, '').replace(/(?:::\$.*|[. ]+)$/, ''),
  );

/**
 * Whether a link of a checkout leads to a place within it. `..` counts only where it begins the
 * target: after a name that is a link itself it could lead anywhere.
 */
export function staysInCheckout(link: string, target: string): boolean {
  const at = link.split('/').slice(0, -1);
  const parts = target.split('/');
  const ups = parts.findIndex((part) => part !== '..');
  const down = ups === -1 ? [] : parts.slice(ups);
  return (
    target !== '' &&
    !target.startsWith('/') &&
    !/^[A-Za-z]:|\\/.test(target) &&
    parts.length - down.length <= at.length &&
    !down.some((part) => part === '..' || couldBeGitFolder(part))
  );
}

/** Where an entry of a bundle goes; `left`: it is not taken. */
export type EntryPlace =
  | { kind: 'left' }
  /** Below the home, under its own path. */
  | { kind: 'file' }
  /** Part of a checkout's repository: the checkout's folder, and the path below its `.git`. */
  | { kind: 'git'; checkout: string; path: string }
  /** A file of a checkout: its folder, and the path in it. */
  | { kind: 'work'; checkout: string; path: string };

const LEFT: EntryPlace = { kind: 'left' };
const FILE: EntryPlace = { kind: 'file' };

const listCheckoutFolders = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(
    entries.flatMap(({ path }) => {
      const [, checkout = '', inside] = CHECKOUT.exec(path) ?? [];
      return inside === 'HEAD' ? [checkout] : [];
    }),
  );

function placeJobFile(entry: Entry, inJob: string, checkouts: ReadonlySet<string>): EntryPlace {
  const { path, link, size } = entry;
  const [first = ''] = inJob.split('/');
  const git = CHECKOUT.exec(path);
  if (git) {
    const [, checkout = '', inside = ''] = git;
    return !link && checkouts.has(checkout) && GIT_DATA.test(inside)
      ? { kind: 'git', checkout, path: inside }
      : LEFT;
  }
  if (AGENTS_OWN.has(first) || inJob.split('/').some(couldBeGitFolder)) return LEFT;
  const checkout = path.slice(0, path.length - inJob.length) + first;
  if (checkouts.has(checkout) && inJob !== first)
    return { kind: 'work', checkout, path: inJob.slice(first.length + 1) };
  if (link) return LEFT;
  if (first === '_sessions') {
    const name = SESSION.exec(inJob)?.[1] ?? '';
    return SESSION_FILES.has(name) && size <= MAX_SESSION_FILE_BYTES ? FILE : LEFT;
  }
  // Agent programs read these as their settings, and the next phase writes the overlay.
  return /^[._]/.test(first) ? LEFT : FILE;
}

/** Notes how each folder and file is spelt; false for another spelling of one that was met before. */
function createSpellings(): (path: string) => boolean {
  const spellings = new Map<string, string>();
  return (path) => {
    const parts = path.split('/');
    for (const [at] of parts.entries()) {
      const prefix = parts.slice(0, at + 1).join('/');
      // What file systems of Windows and macOS take for the same.
      const folded = prefix.normalize('NFC').toLowerCase();
      const knownSpelling = spellings.get(folded);
      if (knownSpelling !== undefined && knownSpelling !== prefix) return false;
      spellings.set(folded, prefix);
    }
    return true;
  };
}

/**
 * Decides which entries of a bundle are taken: only what svc writes and data. Programs, settings,
 * hooks and everything else are left out.
 */
export function decideEntries(entries: readonly Entry[]): EntryPlace[] {
  const checkouts = listCheckoutFolders(entries);
  const isFirstSpelling = createSpellings();
  return entries.map((entry) => {
    const { path, link } = entry;
    if (!isFirstSpelling(path)) return LEFT;
    if (STATE.test(path) || BLOB.test(path)) return link ? LEFT : FILE;
    const inJob = JOB.exec(path)?.[2];
    return inJob === undefined ? LEFT : placeJobFile(entry, inJob, checkouts);
  });
}

const MAX_GROUPS = 8;

/** What was not taken, in one line: files of checkouts, and folders in place of all other files. */
export function summarizeLeftFiles(paths: readonly string[]): string {
  const groups = new Map<string, number>();
  for (const path of paths) {
    const parts = path.replace(/^work\/[^/]+\/(?=.)/, '').split('/');
    const git = parts.indexOf('.git');
    const isFile = path.startsWith('work/') && git === -1 && !/^[._]/.test(parts[0] ?? '');
    const group = isFile ? parts.join('/') : parts.slice(0, git + 2).join('/');
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const groupTexts = [...groups].map(([group, count]) =>
    count > 1 ? `${group} (${count} files)` : group,
  );
  const more = groupTexts.length > MAX_GROUPS ? ` and ${groupTexts.length - MAX_GROUPS} more` : '';
  return `${groupTexts.slice(0, MAX_GROUPS).join(', ')}${more}`;
}
