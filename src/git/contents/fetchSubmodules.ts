import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import {
  MAX_SUBMODULE_BYTES,
  MAX_SUBMODULE_DEPTH,
  MAX_SUBMODULES,
  MAX_SUBMODULES_MS,
} from '../../base/settings/checkouts.ts';
import type { CheckoutContents } from '../../contract/forge/checkoutContents.ts';
import type { GitRunner } from '../loadObjects.ts';
import { toRawPathBytes } from '../rawPaths.ts';
import { removeUrlCredentials, runGit } from '../runGit.ts';
import { fetchPublicCommit } from './fetchPublicCommit.ts';
import {
  createTooLargeError,
  describeSubmodule,
  readSubmodules,
  type Submodule,
} from './readSubmodules.ts';
import { resolveSubmoduleAddress, toComparedAddress } from './submoduleAddress.ts';

export interface SubmodulesRequest {
  /** A fresh clone that no agent has seen. */
  checkoutDir: string;
  /** Folder for objects while they are fetched; made, and removed at the end. */
  scratchDir: string;
  slug: string;
  /** Slugs of the same forge, and `https://` addresses: what may be fetched. */
  allowed: readonly string[];
  contents: CheckoutContents;
  /** Longest fetch of all of them. Default: {@link MAX_SUBMODULES_MS}. */
  timeoutMs?: number;
}

/** A repository that may be fetched. */
interface Source {
  addresses: readonly string[];
  fetch(commit: string, gitDir: string, signal: AbortSignal): Promise<void>;
}

const toSource = async (entry: string, contents: CheckoutContents): Promise<Source> =>
  entry.includes('://')
    ? {
        addresses: [entry],
        fetch: (commit, gitDir, signal) => fetchPublicCommit(entry, commit, gitDir, signal),
      }
    : {
        addresses: await contents.addresses(entry),
        fetch: (commit, gitDir, signal) => contents.fetchCommit(entry, commit, gitDir, signal),
      };

const findSource = (
  sources: readonly Source[],
  parents: readonly string[],
  url: string,
): Source | undefined => {
  const addressSet = new Set(
    parents.flatMap((parent) => resolveSubmoduleAddress(parent, url) ?? []),
  );
  return sources.find(({ addresses }) =>
    addresses.some((address) => addressSet.has(toComparedAddress(address) ?? '')),
  );
};

/**
 * Writes the files of a clone's submodules into their folders, and those of submodules in them. They get no
 * repository of their own: no git of svc may look into one that an agent can configure. What `.gitmodules` says
 * is only compared with what a person allows, so no address of a repository is ever connected to. Answers what the
 * log should report. Throws SvcError where one that is allowed cannot be fetched, and at the limits.
 */
export async function fetchSubmodules(request: SubmodulesRequest): Promise<string[]> {
  const { checkoutDir, scratchDir, slug, allowed, contents } = request;
  const { timeoutMs = MAX_SUBMODULES_MS } = request;
  const signal = AbortSignal.timeout(timeoutMs);
  const own: GitRunner = (args, options) =>
    runGit(['--git-dir', join(checkoutDir, '.git'), ...args], options);
  const top = (await readSubmodules(own, 'HEAD')).submodules;
  if (top.length === 0) return [];
  const sources: Source[] = [];
  for (const entry of allowed) sources.push(await toSource(entry, contents));
  await runGit(['init', '--quiet', '--bare', '--template=', scratchDir]);
  try {
    const filling: Filling = {
      checkoutDir,
      scratchDir,
      sources,
      signal,
      notes: [],
      count: 0,
      written: 0,
      bytes: 0,
    };
    await fillSubmodules(filling, {
      at: [],
      submodules: top,
      addresses: await contents.addresses(slug),
    });
    return filling.notes;
  } catch (error) {
    throw signal.aborted ? createTooSlowError(timeoutMs) : error;
  } finally {
    await rm(scratchDir, { recursive: true, force: true });
  }
}

interface Filling extends Pick<SubmodulesRequest, 'checkoutDir' | 'scratchDir'> {
  sources: readonly Source[];
  /** Ends the fetch. */
  signal: AbortSignal;
  notes: string[];
  /** Of those that are fetched, so far. */
  count: number;
  /** Of those that were written, so far. */
  written: number;
  /** Of their files. */
  bytes: number;
}

interface Level {
  /** Raw paths of the submodules that this one is in. */
  at: readonly string[];
  submodules: readonly Submodule[];
  /** Of the repository that has them. */
  addresses: readonly string[];
}

async function fillSubmodules(filling: Filling, level: Level): Promise<void> {
  const places = level.submodules.map((submodule) => ({
    submodule,
    at: [...level.at, submodule.path],
    source:
      submodule.url === null
        ? undefined
        : findSource(filling.sources, level.addresses, submodule.url),
  }));
  checkCount(filling, level, places.filter(({ source }) => source !== undefined).length);
  for (const { submodule, at, source } of places)
    if (source === undefined) filling.notes.push(explainUnlisted(at, submodule, level));
    else await fillSubmodule(filling, at, submodule, source);
}

/** Before any of a level is fetched. */
function checkCount(filling: Filling, { at }: Level, count: number): void {
  filling.count += count;
  if (count === 0) return;
  const where = at.length === 0 ? '' : ` in ${describeSubmodule(at)}`;
  if (filling.count > MAX_SUBMODULES)
    throw new SvcError(
      'too-large',
      `With the ${count} submodules${where}, the checkout has ${filling.count}, and svc fetches at most ${MAX_SUBMODULES}. Shorten checkout.repositories[].submodules, and fetch the others in the setup.`,
    );
  if (at.length >= MAX_SUBMODULE_DEPTH)
    throw new SvcError(
      'too-large',
      `The submodules${where} are nested more than ${MAX_SUBMODULE_DEPTH} deep, which svc does not fetch. Shorten checkout.repositories[].submodules, and fetch them in the setup.`,
    );
}

const createTooSlowError = (timeoutMs: number): SvcError =>
  new SvcError(
    'too-large',
    `The submodules were not fetched within ${timeoutMs / 60_000} minutes, which is the limit. Check the forge, then resume the job; or shorten checkout.repositories[].submodules, and fetch them in the setup.`,
  );

function explainUnlisted(at: readonly string[], { url }: Submodule, { addresses }: Level): string {
  const [parent = ''] = addresses;
  const address = url === null ? null : resolveSubmoduleAddress(parent, url);
  return `the submodule ${describeSubmodule(at)} is not fetched: ${
    address === null
      ? 'svc fetches none from an address like the one in .gitmodules'
      : `checkout.repositories[].submodules does not list ${removeUrlCredentials(address)}`
  }`;
}

async function fillSubmodule(
  filling: Filling,
  at: readonly string[],
  { commit }: Submodule,
  { addresses, fetch }: Source,
): Promise<void> {
  const { scratchDir, signal } = filling;
  const what = describeSubmodule(at);
  const place = await findPlace(filling.checkoutDir, at);
  await fetch(commit, scratchDir, signal);
  const git: GitRunner = (args, options) =>
    runGit(['--git-dir', scratchDir, '-c', 'core.bare=false', ...args], { signal, ...options });
  const { submodules, bytes } = await readSubmodules(git, commit);
  filling.written += 1;
  filling.bytes += bytes;
  if (filling.bytes > MAX_SUBMODULE_BYTES) throw createTooLargeError(what, filling.bytes);
  await git(['--work-tree', place, 'read-tree', '--reset', '-u', commit], {
    cwd: place,
    env: { GIT_INDEX_FILE: join(scratchDir, `index-${filling.written}`) },
    timeoutMs: MAX_SUBMODULES_MS,
  });
  await fillSubmodules(filling, { at, submodules, addresses });
}

/** The folder of a submodule, which git has made empty. No link of a repository is followed. */
async function findPlace(checkoutDir: string, at: readonly string[]): Promise<string> {
  const root = await realpath(checkoutDir);
  const path = toRawPathBytes(at.join('/')).toString('utf8');
  const place = join(root, path);
  const isThere = (await realpath(place).catch(() => null)) === place;
  if (isThere && (await readdir(place)).length === 0) return place;
  throw new SvcError(
    'invalid',
    `The submodule ${describeSubmodule(at)} cannot be written: its folder is not empty, or has a name that is not UTF-8, or a link leads to it.`,
  );
}
