import { SvcError } from '../lib/errors.ts';
import type { SecretStream } from '../lib/secretStream.ts';
import { runGit } from './git.ts';

/**
 * Most bytes of new commits, folders and files of one branch that are searched: 256 MiB. A branch
 * with more is refused.
 */
export const MAX_SCREENED_BYTES = 256 * 1024 * 1024;
/** Characters of a commit's hash that people are shown. */
const SHOWN = 12;

interface Search {
  gitDir: string;
  /** Branch whose commits are searched. */
  tip: string;
  /** Commits that already exist, with all their ancestors. */
  known: readonly string[];
  stream(): SecretStream;
  timeoutMs: number;
  signal?: AbortSignal;
}

interface Hit {
  oid: string;
  type: string;
  secrets: ReadonlySet<Buffer>;
}

/** Reads what `cat-file --batch` says, and searches each object by itself. */
class ObjectReader {
  readonly hits: Hit[] = [];
  readonly #newStream: () => SecretStream;
  #header = '';
  #object: (Omit<Hit, 'secrets'> & { left: number; stream: SecretStream }) | null = null;

  constructor(newStream: () => SecretStream) {
    this.#newStream = newStream;
  }

  readonly read = (piece: Buffer): void => {
    let at = 0;
    while (at < piece.length) at = this.#object ? this.#content(piece, at) : this.#line(piece, at);
  };

  #line(piece: Buffer, at: number): number {
    const end = piece.indexOf(10, at);
    this.#header += piece.toString('latin1', at, end === -1 ? piece.length : end);
    if (end === -1) return piece.length;
    const [, oid = '', type = '', size = ''] = /^(\S+) (\S+) (\d+)$/.exec(this.#header) ?? [];
    // The end of the line before a header; anything else is an object that is missing.
    if (oid === '' && this.#header !== '')
      throw new SvcError('internal', 'An object of the branch could not be read.');
    if (oid !== '') this.#object = { oid, type, left: Number(size), stream: this.#newStream() };
    this.#header = '';
    if (this.#object?.left === 0) this.#object = null;
    return end + 1;
  }

  #content(piece: Buffer, at: number): number {
    const object = this.#object;
    if (!object) return at;
    const end = Math.min(piece.length, at + object.left);
    object.stream.push(piece.subarray(at, end));
    object.left -= end - at;
    if (object.left === 0) {
      object.stream.end();
      const { oid, type, stream } = object;
      if (stream.found.size > 0) this.hits.push({ oid, type, secrets: stream.found });
      this.#object = null;
    }
    return end;
  }
}

/**
 * Where the new commits of a branch hold known secrets: messages, authors, names of files, and
 * files, also binary ones, whole. A file that held one before is no new place. Each place as text
 * that names commit and file. Throws SvcError `too-large` over {@link MAX_SCREENED_BYTES}.
 */
export async function findSecrets(search: Search): Promise<string[]> {
  const { gitDir, timeoutMs, signal } = search;
  const run = (args: readonly string[], more: Parameters<typeof runGit>[1] = {}) =>
    runGit(['--git-dir', gitDir, ...args], { timeoutMs, ...(signal ? { signal } : {}), ...more });
  const range = rangeOf(search);
  const listed = await run(['rev-list', '--objects', '--stdin'], { input: range });
  const paths = new Map(
    listed.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)] as const),
  );
  if (paths.size === 0) return [];
  const reader = new ObjectReader(search.stream);
  const { cut } = await run(['cat-file', '--batch', '--buffer'], {
    input: `${[...paths.keys()].join('\n')}\n`,
    onOutput: reader.read,
    maxBytes: MAX_SCREENED_BYTES,
    cutOutput: true,
  });
  if (cut) {
    throw new SvcError(
      'too-large',
      `The branch adds more than ${MAX_SCREENED_BYTES} bytes to scan for secrets. Leave large files out, or ask a person to push it.`,
    );
  }
  const places: string[] = [];
  for (const { oid, type, secrets } of reader.hits) {
    if (type === 'commit') places.push(`commit ${oid.slice(0, SHOWN)}, its message or author`);
    else {
      const path = paths.get(oid) ?? '';
      const { stdout: first } = await run(
        ['log', '--format=%H', '--reverse', `--find-object=${oid}`, '--stdin'],
        {
          input: range,
        },
      );
      const commit = first.slice(0, SHOWN).trim() || 'of a merge';
      if (type === 'tree')
        places.push(
          `commit ${commit}, the name of a file in ${path === '' ? 'the top folder' : path}`,
        );
      else if (!(await heldBefore(run, search, path, secrets)))
        places.push(`commit ${commit}, file ${path}`);
    }
  }
  return places;
}

/** The new commits, as git reads them from stdin. */
const rangeOf = ({ tip, known }: Pick<Search, 'tip' | 'known'>): string =>
  [tip, ...known.map((oid) => `^${oid}`), ''].join('\n');

type Run = (
  args: readonly string[],
  more?: Parameters<typeof runGit>[1],
) => ReturnType<typeof runGit>;

/**
 * Whether the file holds all of these secrets in what the branch began with: then this branch
 * brings nothing new.
 */
async function heldBefore(
  run: Run,
  search: Search,
  path: string,
  secrets: ReadonlySet<Buffer>,
): Promise<boolean> {
  const { stdout } = await run(['rev-list', '--boundary', '--stdin'], { input: rangeOf(search) });
  const begun = stdout.split('\n').flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : []));
  for (const commit of begun) {
    const searched = search.stream();
    await run(['cat-file', 'blob', `${commit}:${path}`], {
      answers: [128],
      onOutput: (piece) => void searched.push(piece),
      maxBytes: MAX_SCREENED_BYTES,
    });
    searched.end();
    const before = [...searched.found];
    if ([...secrets].every((secret) => before.some((one) => one.equals(secret)))) return true;
  }
  return false;
}
