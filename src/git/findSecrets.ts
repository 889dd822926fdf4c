import { SvcError } from '../base/errors/errors.ts';
import { runGit } from './runGit.ts';
import {
  ObjectSearch,
  searchText,
  type ObjectFinding,
  type ObjectHit,
  type SearchedValues,
} from './objectSearch.ts';
import { createObjectReader } from './readObjects.ts';
import { findHeldBefore, type RunHere } from './findHeldBefore.ts';

const ID_BYTES = 20;

function readTreeNames(tree: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < tree.length; ) {
    const name = tree.indexOf(0x20, at) + 1;
    const end = name === 0 ? -1 : tree.indexOf(0, name);
    if (end === -1) break;
    names.push(tree.toString('utf8', name, end));
    at = end + 1 + ID_BYTES;
  }
  return names;
}

/** A branch beyond these limits is refused: svc pushes nothing that it has not searched. */
export interface SearchLimits {
  bytes: number;
  objects: number;
}

export const SEARCH_LIMITS: SearchLimits = { bytes: 256 * 1024 * 1024, objects: 200_000 };

const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** Most bytes of folders whose full paths are searched; in larger folders only the names are. */
const MAX_TREE_BYTES = 1024 * 1024;
/**
 * Most objects with a finding that are compared with the start of the branch; more count as new.
 */
const MAX_COMPARED = 1_000;
/** Characters of a commit's hash that people are shown. */
const SHOWN = 12;

interface Search extends SearchedValues {
  gitDir: string;
  branch: string;
  /** Commits that already exist, with all their ancestors. */
  known: readonly string[];
  limits?: SearchLimits;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface TokenPlace {
  kind: string;
  place: string;
}

export interface FoundSecrets {
  secrets: string[];
  tokens: TokenPlace[];
}

const holdsNoSecret = ({ secrets, tokens }: ObjectFinding): boolean =>
  secrets.size + tokens.size === 0;

const createTooLargeBranchError = (what: string): SvcError =>
  new SvcError(
    'too-large',
    `The branch adds more than ${what} to search for secrets. Split it, leave large files out, or ask a person to push it.`,
  );

async function listObjects(run: RunHere, range: string, limits: SearchLimits) {
  const { stdout, cut } = await run(['rev-list', '--objects', '--stdin'], {
    input: range,
    maxBytes: MAX_LIST_BYTES,
    cutOutput: true,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (cut || lines.length > limits.objects)
    throw createTooLargeBranchError(`${limits.objects} commits, folders and files`);
  // The id of a commit is alone on its line.
  return new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(41)] as const));
}

/** Searches one object, and for a folder also the full paths of its entries. */
function createSearcher(searchedValues: SearchedValues, type: string, path: string, size: number) {
  const search = new ObjectSearch(searchedValues);
  const tree: Buffer[] | null =
    type === 'tree' && path !== '' && size <= MAX_TREE_BYTES ? [] : null;
  return {
    push(piece: Buffer) {
      search.push(piece);
      // Copied because the reader reuses its buffer.
      tree?.push(Buffer.from(piece));
    },
    end(): ObjectFinding {
      const { secrets, tokens } = search.end();
      if (tree === null) return { secrets, tokens };
      const names = readTreeNames(Buffer.concat(tree));
      const inPaths = searchText(searchedValues, names.map((name) => `${path}/${name}\n`).join(''));
      return {
        secrets: new Set([...secrets, ...inPaths.secrets]),
        tokens: new Map([...tokens, ...inPaths.tokens]),
      };
    },
  };
}

async function searchObjects(
  run: RunHere,
  paths: ReadonlyMap<string, string>,
  searchedValues: SearchedValues,
  limits: SearchLimits,
): Promise<ObjectHit[]> {
  const hits: ObjectHit[] = [];
  const { cut } = await run(['cat-file', '--batch', '--buffer'], {
    input: `${[...paths.keys()].join('\n')}\n`,
    onOutput: createObjectReader(({ oid, type, size }) => {
      const path = paths.get(oid) ?? '';
      const searcher = createSearcher(searchedValues, type, path, size);
      return {
        push: searcher.push,
        end() {
          const objectFinding = searcher.end();
          if (!holdsNoSecret(objectFinding)) hits.push({ ...objectFinding, oid, type, path });
        },
      };
    }),
    maxBytes: limits.bytes,
    cutOutput: true,
  });
  if (cut) throw createTooLargeBranchError(`${limits.bytes} bytes`);
  return hits;
}

async function findCommits(run: RunHere, range: string, hits: readonly ObjectHit[]) {
  const wantedIds = new Set(hits.map(({ oid }) => oid));
  const commitsByObject = new Map<string, string>();
  let commit = '';
  let rest = '';
  const args = ['log', '--topo-order', '--reverse', '-c', '--raw', '-r', '-t', '--no-abbrev'];
  await run([...args, '--no-renames', '--format=commit %H %T', '--stdin'], {
    input: range,
    maxBytes: Number.POSITIVE_INFINITY,
    onOutput: (piece) => {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, id, top] = /^commit (\S+) (\S+)$/.exec(line) ?? [];
        commit = id ?? commit;
        const oid = top ?? /^:.* ([0-9a-f]{40}) [A-Z]+\d*\t/.exec(line)?.[1] ?? '';
        if (wantedIds.has(oid) && !commitsByObject.has(oid)) commitsByObject.set(oid, commit);
      }
    },
  });
  return commitsByObject;
}

function describeHitPlace(
  { oid, type, path }: ObjectHit,
  commitsByObject: ReadonlyMap<string, string>,
): string {
  if (type === 'commit') return `commit ${oid.slice(0, SHOWN)}, its message or author`;
  const commit = commitsByObject.get(oid)?.slice(0, SHOWN) ?? 'of a merge';
  if (type === 'tree')
    return `commit ${commit}, the name of a file in ${path === '' ? 'the top folder' : path}`;
  return `commit ${commit}, file ${path}`;
}

/** The hit without the secrets that the file held before the branch began. */
function dropOldSecrets(hit: ObjectHit, before: ObjectFinding | undefined): ObjectHit {
  if (before === undefined) return hit;
  return {
    ...hit,
    // A file that holds one secret more than before is reported as a whole.
    secrets: [...hit.secrets].every((one) => before.secrets.has(one)) ? new Set() : hit.secrets,
    tokens: new Map([...hit.tokens].filter(([token]) => !before.tokens.has(token))),
  };
}

/**
 * Where the new commits of a branch hold known secrets, or tokens by their form: the name of the
 * branch, messages, authors, names of files, and files, whole, binary ones too, in UTF-8 and UTF-16.
 * Commits of merged branches and files that a later commit removes count. A file that held the same
 * before is not a new place. Throws SvcError `too-large` over {@link SEARCH_LIMITS}.
 */
export async function findSecrets(search: Search): Promise<FoundSecrets> {
  const { gitDir, branch, known, limits = SEARCH_LIMITS, timeoutMs, signal } = search;
  const run: RunHere = (args, more = {}) =>
    runGit(['--git-dir', gitDir, ...args], { timeoutMs, ...(signal ? { signal } : {}), ...more });
  const range = [`refs/heads/${branch}`, ...known.map((oid) => `^${oid}`), ''].join('\n');
  const inName = searchText(search, branch);
  const paths = await listObjects(run, range, limits);
  const all = paths.size === 0 ? [] : await searchObjects(run, paths, search, limits);
  const comparedHits = all.filter(({ type }) => type !== 'commit').slice(0, MAX_COMPARED);
  const before = await findHeldBefore(run, range, comparedHits, search);
  const hits = all
    .map((hit) => dropOldSecrets(hit, before.get(hit.oid)))
    .filter((hit) => !holdsNoSecret(hit));
  const commitsByObject =
    hits.length === 0 ? new Map<string, string>() : await findCommits(run, range, hits);
  const places = [
    ...(holdsNoSecret(inName) ? [] : [{ ...inName, place: 'the name of the branch' }]),
    ...hits.map((hit) => ({ ...hit, place: describeHitPlace(hit, commitsByObject) })),
  ];
  return {
    secrets: places.flatMap(({ secrets, place }) => (secrets.size > 0 ? [place] : [])),
    tokens: places.flatMap(({ tokens, place }) =>
      [...new Set(tokens.values())].map((kind) => ({ kind, place })),
    ),
  };
}
