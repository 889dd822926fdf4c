import { MAX_BLOB_BYTES, readBlobs } from '../../git/readBlobs.ts';
import { checkRepositoryPath, readRepository } from '../../git/readRepository.ts';
import { runAsCaller } from '../../providers/account/caller.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { readAtPath, toListOrEmpty, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { numberLines } from '../evidence/numberedLines.ts';
import {
  readCountArg,
  type LookupFinding,
  type Lookup,
  readRequiredTextArg,
  buildArgsSchema,
  readTextArg,
} from './lookup.ts';
import type { PinnedRepo, Pins } from './pins.ts';

const MAX_PATH_CHARS = 1_000;
const MAX_SLUG_CHARS = 200;
const MAX_SEARCH_CHARS = 200;
export const MAX_LINES = 1_000;
const MAX_LINE = 10_000_000;

const repoField = {
  type: 'string',
  description: 'The repository, such as acme/shop; default: the one of this conversation.',
};

interface RepositoryLookupDeps {
  pins: Pins;
  /** The caller that forges see. */
  caller: { jobId: string; phase: string };
}

const toPinnedPlace = ({ slug, commit }: PinnedRepo): Omit<LookupFinding, 'text'> => ({
  trust: 'own',
  repo: slug,
  commit,
  path: null,
  fromLine: null,
  toLine: null,
});

function cutNumberedPiece(
  text: string,
  from: number,
  to: number | null,
): { text: string; last: number } {
  const lines = text.replace(/\n$/, '').split('\n');
  if (from > lines.length)
    throw new Error(`The file has ${lines.length} lines; "from" is ${from}.`);
  const last = Math.min(to ?? lines.length, from + MAX_LINES - 1, lines.length);
  const isComplete = from === 1 && last === lines.length;
  const note = isComplete ? '' : `\n[lines ${from} to ${last} of ${lines.length}]`;
  return { text: `${numberLines(lines.slice(from - 1, last), from)}${note}`, last };
}

/** Throws SvcError `not-found`, `invalid`, `too-large`. */
export async function readPinnedFile(
  { slug, commit, source }: PinnedRepo,
  path: string,
): Promise<{ path: string; text: string }> {
  const file = checkRepositoryPath(path);
  const name = `${commit}:${file}`;
  const blob = (await readBlobs(source.path, [name])).get(name) ?? null;
  if (blob === null)
    throw new SvcError('not-found', `${slug} has no file ${path} at ${commit.slice(0, 12)}.`);
  if (blob.size > MAX_BLOB_BYTES)
    throw new SvcError(
      'too-large',
      `${path} has ${blob.size} bytes; at most ${MAX_BLOB_BYTES} are read. Search in it instead.`,
    );
  if (blob.text === null) throw new SvcError('invalid', `${path} is not text.`);
  return { path: file, text: blob.text };
}

/** The three look-ups in repositories, at the pinned commits of the conversation. */
export function createRepositoryLookups({ pins, caller }: RepositoryLookupDeps): Lookup[] {
  const inRepo = (
    args: Readonly<Record<string, unknown>>,
    run: (repo: PinnedRepo) => Promise<LookupFinding>,
  ): Promise<LookupFinding> =>
    runAsCaller(caller, async () => run(await pins.of(readTextArg(args, 'repo', MAX_SLUG_CHARS))));
  return [
    {
      name: 'scm_read_file',
      description: `Returns lines of a file as it is committed, with their numbers; at most ${MAX_LINES} at once.`,
      inputSchema: buildArgsSchema(
        {
          path: { type: 'string', description: 'The file, from the root of the repository.' },
          from: { type: 'integer', description: 'First line; default 1.' },
          to: { type: 'integer', description: 'Last line; default the end.' },
          repo: repoField,
        },
        ['path'],
      ),
      describeTarget(args) {
        const from = readCountArg(args, 'from', MAX_LINE);
        const to = readCountArg(args, 'to', MAX_LINE);
        const path = readRequiredTextArg(args, 'path', MAX_PATH_CHARS);
        return from === null && to === null ? path : `${path}:${from ?? 1}-${to ?? ''}`;
      },
      find: (args) =>
        inRepo(args, async (repo) => {
          const path = readRequiredTextArg(args, 'path', MAX_PATH_CHARS);
          const from = readCountArg(args, 'from', MAX_LINE) ?? 1;
          const to = readCountArg(args, 'to', MAX_LINE);
          const file = await readPinnedFile(repo, path);
          const { text, last } = cutNumberedPiece(file.text, from, to);
          return { ...toPinnedPlace(repo), text, path: file.path, fromLine: from, toLine: last };
        }),
    },
    {
      name: 'scm_search_code',
      description:
        'Returns the lines of the repository that contain a text, taken literally, at most 200.',
      inputSchema: buildArgsSchema(
        {
          text: { type: 'string', description: 'Text to search for; not a pattern.' },
          path: { type: 'string', description: 'Folder or file; default: all.' },
          repo: repoField,
        },
        ['text'],
      ),
      describeTarget: (args) => `“${readRequiredTextArg(args, 'text', MAX_SEARCH_CHARS)}”`,
      find: (args) =>
        inRepo(args, async (repo) => {
          const text = readRequiredTextArg(args, 'text', MAX_SEARCH_CHARS);
          if (/[\r\n]/.test(text))
            throw new Error('"text" must be one line: the search finds lines.');
          const path = readTextArg(args, 'path', MAX_PATH_CHARS) ?? '';
          const ref = repo.commit;
          const answer = await readRepository(repo.source, 'search_code', { text, path, ref });
          const lines = toListOrEmpty(answer.found).map(
            (one) =>
              `${toStringOrEmpty(readAtPath(one, 'path'))}:${readAtPath(one, 'line')}: ${toStringOrEmpty(readAtPath(one, 'text'))}`,
          );
          const more = answer.cut === true ? '\n[There are more: name a folder.]' : '';
          return {
            ...toPinnedPlace(repo),
            text: `${lines.join('\n') || 'Nothing was found.'}${more}`,
          };
        }),
    },
    {
      name: 'scm_list_files',
      description: 'Returns the paths of the files below a folder, at most 2,000.',
      inputSchema: buildArgsSchema({
        path: { type: 'string', description: 'The folder; default: the root.' },
        repo: repoField,
      }),
      describeTarget: (args) => `${readTextArg(args, 'path', MAX_PATH_CHARS) ?? ''}/`,
      find: (args) =>
        inRepo(args, async (repo) => {
          const path = readTextArg(args, 'path', MAX_PATH_CHARS) ?? '';
          const ref = repo.commit;
          const answer = await readRepository(repo.source, 'list_files', { path, ref });
          const names = toListOrEmpty(answer.files).map(toStringOrEmpty);
          const more = answer.cut === true ? '\n[There are more: name a folder.]' : '';
          return { ...toPinnedPlace(repo), text: `${names.join('\n') || 'No files.'}${more}` };
        }),
    },
  ];
}
