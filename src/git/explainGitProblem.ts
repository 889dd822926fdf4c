import { quotePosixWord } from '../base/text/quotePosixWord.ts';
import { SvcError } from '../base/errors/errors.ts';

const FULL = /No space left on device|Disk quota exceeded|Read-only file system/;
const DENIED =
  /(?:could not|cannot|unable to|failed to|insufficient)[^\n]*(?:Permission denied|insufficient permission)|insufficient permission for adding an object/i;

interface Cause {
  pattern: RegExp;
  /** `what`: the command, such as `git clone`; `examples`: what the groups of the pattern matched. */
  explain(what: string, examples: readonly string[], stderr: string): string;
}

/** The first match counts. Git's own advice is left out, since it is for other situations. */
const CAUSES: readonly Cause[] = [
  {
    pattern: /Unable to create '([^']+\.lock)': File exists/,
    explain: (_what, [lock = '']) =>
      `The repository is locked by another git process: ${lock} exists. Wait until that git has ended. If none is running, remove the file: rm ${quotePosixWord(lock)}`,
  },
  {
    pattern: /dubious ownership in repository at '([^']+)'/,
    explain: (_what, [path = '']) =>
      `The repository ${path} does not belong to the runner's user, so git does not read it. Run the runner as its owner, or give it to the runner's user: chown -R "$(id -u)" ${quotePosixWord(path)}`,
  },
  {
    pattern: FULL,
    explain: (what, _found, stderr) =>
      `${what} could not write: ${findLineWith(FULL, stderr)}. Make room on that disk.`,
  },
  {
    pattern: DENIED,
    explain: (what, _found, stderr) =>
      `${what} may not read or write a file: ${findLineWith(DENIED, stderr)}. Run the runner as the owner of the repository, or let the user of the runner read and write it (chmod, chown).`,
  },
  {
    pattern: /'refs\/heads\/([^']+)' exists; cannot create 'refs\/heads\/([^']+)'/,
    explain: (_what, [existing = '', newBranch = '']) =>
      `The branch ${existing} exists, so git cannot also have a branch ${newBranch}. Choose another name for ${newBranch}.`,
  },
  {
    pattern: /invalid path '([^\n]*)'/,
    explain: (what, [path = '']) =>
      `${what}: the commit has the path "${path}", which git writes to no disk, since it could leave the working tree or change .git. Commit without that path.`,
  },
  {
    pattern: /File name too long/,
    explain: (what, _found, stderr) =>
      `${what}: a name is too long for the disk: ${findLineWith(/File name too long/, stderr)}. Choose a shorter one.`,
  },
  {
    pattern: /could not fetch ([0-9a-f]{40}) from promisor remote|lazy fetching disabled/,
    explain: (what) =>
      `${what}: the repository is a partial clone and lacks objects, which svc does not fetch. Run in it: git fetch --refetch --no-filter`,
  },
  {
    pattern:
      /unable to normalize alternate object path: (\S+)|object directory (\S+) does not exist/,
    explain: (_what, [one = '', other = '']) =>
      `The repository borrows objects from ${one || other}, which does not exist any more. Bring that folder back, or correct the path in objects/info/alternates of the repository.`,
  },
  {
    pattern: /upload-pack: not our ref ([0-9a-f]{40})/,
    explain: (what, [oid = '']) =>
      /^0+$/.test(oid)
        ? `${what}: the repository has a branch or tag that is broken. \`git fsck\` names it: delete its file below .git.`
        : `${what}: the repository has a branch or tag whose commit ${oid} is missing. \`git fsck\` names it; remove it (git update-ref -d <ref>), or fetch the commit from another copy.`,
  },
  {
    pattern: /unknown repository extensions? found:\s*(\S+)/,
    explain: (what, [name = '']) =>
      `${what}: the repository uses the extension ${name}, which this git does not know. Install a newer git for the runner.`,
  },
  {
    pattern:
      /bad config (?:line \d+ in file \S+|value for '[^']+'[^\n]*)|Expected git repo version <= \d+, found \d+/,
    explain: (what, _found, stderr) =>
      `${what}: the configuration of the repository cannot be used: ${findLineWith(/bad config|Expected git repo version/, stderr)}. Correct it.`,
  },
  {
    pattern:
      /(?:object file \S+ is empty|loose object ([0-9a-f]{40})[^\n]* is corrupt|inflate: data stream error|packfile \S+ (?:cannot be accessed|is truncated|does not match)|unable to read (?:tree|sha1 file|[0-9a-f]{40})|missing (?:blob|tree|commit) [0-9a-f]{40}|aborting due to possible repository corruption)/,
    explain: (what, _found, stderr) =>
      `${what}: the repository has missing or damaged objects: ${takeFirstLine(stderr)}. Check it with \`git fsck\`, and fetch what is missing from another copy.`,
  },
];

/**
 * Turns git's words about a repository or disk that a person can repair into an error that names it
 * and says how (`data.repairable` is true); null = they are about something else. `what`: the
 * command, such as `git clone`.
 */
export function explainGitProblem(what: string, stderr: string): SvcError | null {
  for (const { pattern, explain } of CAUSES) {
    const match = pattern.exec(stderr);
    if (match)
      return new SvcError('conflict', explain(what, match.slice(1), stderr), {
        data: { repairable: true },
      });
  }
  return null;
}

const findLineWith = (pattern: RegExp, text: string): string =>
  text
    .trim()
    .split('\n')
    .findLast((line) => pattern.test(line)) ?? text.trim();

const takeFirstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** Temporary folders of svc, which are gone when a person reads the message. */
const OWN_FOLDER = /\/\S*\/svc-(?:branch|merge|index|gc|settings)-[A-Za-z0-9]{6}(?:\/\.git)?/g;

const ADVICE: readonly RegExp[] = [
  /^hint: .*\n?/gm,
  /^To add an exception for this directory, call:\n\n.*\n?/gm,
  /^error: some local refs could not be updated; try running\n.*\n?/gm,
  /^Please make sure you have the correct access rights\nand the repository exists\.\n?/gm,
  /^(?:See|see) .?git help .*\n?/gm,
  /^warning: Clone succeeded, but checkout failed\.\nYou can inspect .*\nand retry with .*\n?/gm,
  /^Please commit your changes or stash them before you .*\n?/gm,
  /^Please move or remove them before you .*\n?/gm,
];

/**
 * The stderr of git without its advice, which does not help in svc's place, and without the paths
 * of svc's temporary folders.
 */
export function cleanStderr(stderr: string): string {
  return ADVICE.reduce((text, advice) => text.replace(advice, ''), stderr).replace(
    OWN_FOLDER,
    'a temporary folder of svc',
  );
}
