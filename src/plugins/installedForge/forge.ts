import type { ForgeOperation, PrAddress } from '../../contract/forge/forge.ts';
import type { RemoteForge } from '../../contract/forge/remoteForge.ts';
import type { Clock } from '../../base/time/clock.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { Mirrors } from '../../git/mirror.ts';
import { checkSlug } from '../../git/gitNames.ts';
import { answerHealthcheck } from '../../providers/rest/answers.ts';
import { classifyFailure } from '../../providers/rest/classifyFailure.ts';
import { splitIntoTextParts } from '../../providers/rest/reviewing.ts';
import { Traces } from '../../providers/rest/traces.ts';
import { toScmPrComment, toScmPrDetail, toScmPrStatus } from './scmViews.ts';
import { hindrancesIn, collectScmNews } from './collectScmNews.ts';
import { MAX_LISTED, type LeftOut } from './scmAnswers.ts';
import { ScmCalls, type ScmCallsOptions } from './scmCalls.ts';
import { createScmWrites } from './createScmWrites.ts';
import { UnreadParts } from '../../providers/rest/unreadParts.ts';
import type { PrPart } from '../../contract/schema/forge/prDetail.ts';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isInner } from '../../base/system/network/innerAddresses.ts';
import { allowHostAdvice } from '../guardedRequest.ts';

type Resolve = (host: string) => Promise<readonly { address: string }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/**
 * Checks where a plugin sends git. Throws SvcError `forbidden` for an inner address that
 * `allowHosts` does not name and for one with a login in it, `unreachable` for a name that does not
 * resolve.
 */
export async function checkGitAddress(
  plugin: string,
  address: string,
  allowHosts: readonly string[],
  resolve: Resolve = resolveAll,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new SvcError(
      'forbidden',
      `${plugin} passes git an address that is not http(s):// or that contains a login.`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (allowHosts.some((one) => one.toLowerCase() === host)) return;
  const addresses =
    isIP(host) === 0 ? await resolveGitHost(plugin, host, resolve) : [{ address: host }];
  if (!addresses.some((one) => isInner(one.address))) return;
  throw new SvcError(
    'forbidden',
    `${plugin} sends git to ${host}, an address of this machine or its network. ${allowHostAdvice(plugin, allowHosts, host)}`,
  );
}

async function resolveGitHost(plugin: string, host: string, resolve: Resolve) {
  try {
    return await resolve(host);
  } catch (error) {
    throw new SvcError('unreachable', `${plugin} sends git to ${host}, which has no address.`, {
      cause: error,
    });
  }
}

/** Which parts of a pull request are missing if a member of the answer is left out. */
const PARTS: Readonly<Record<Exclude<LeftOut['member'], ''>, readonly PrPart[]>> = {
  comments: ['comments', 'threads'],
  reviews: ['reviews'],
  checks: ['checks'],
  mergeable: ['mergeability'],
  mergeState: ['mergeability'],
  hindrances: ['mergeability'],
};

function toUnreadParts(leftOut: readonly LeftOut[]): UnreadParts {
  const parts = new UnreadParts();
  for (const { member, index, why } of leftOut) {
    const of = member === '' ? [] : PARTS[member];
    if (index === null) parts.note(of, new SvcError('invalid', why));
    else parts.noteItem(of, why);
  }
  return parts;
}

/** How long the forge may show old data after a write, ms. */
const CONSISTENCY_MS = 10_000;
/** How long the answer who svc is stays valid, ms. */
const SELF_MS = 10 * 60_000;

export interface InstalledForgeOptions extends ScmCallsOptions {
  mirrorsDir: string;
  /** A person uses the account as well, so only marked items count as svc's own. */
  selfIsPerson: boolean;
  allowHosts: readonly string[];
  can: { createRepo: boolean; changes: boolean; repositoryAt?: boolean };
  /** null = it offers no health check. */
  healthcheck: (() => Promise<{ ok: boolean; detail: string }>) | null;
  /** Default {@link CONSISTENCY_MS}. */
  consistencyMs?: number;
}

const isSlug = (slug: string): boolean => {
  try {
    return checkSlug(slug) === slug;
  } catch {
    return false;
  }
};

/**
 * The forge of an installed plugin, as jobs use every forge. The runner does git, the marks on what
 * svc writes, news and the checks before a write; the plugin translates for its server.
 */
export function createInstalledForge(options: InstalledForgeOptions): RemoteForge {
  const { id, clock, can, allowHosts, selfIsPerson, consistencyMs = CONSISTENCY_MS } = options;
  const calls = new ScmCalls(options);
  const mirrors = new Mirrors({
    dir: options.mirrorsDir,
    mayAct: options.mayAct,
    async network(slug) {
      const { cloneUrl, login } = await calls.read('repository', slug);
      await checkGitAddress(id, cloneUrl, allowHosts);
      return { url: cloneUrl, username: login?.username ?? '', password: login?.password ?? '' };
    },
  });
  const self = rememberAnswer(clock, () => calls.read('self'));
  const { act, look } = createScmWrites({ id, calls, mirrors, self });
  const readPr = async (address: PrAddress) => {
    const { answer: pr, leftOut } = await calls.readPartly('pullRequest', address);
    return { pr, parts: toUnreadParts(leftOut) };
  };
  let round = 0;
  const traces = new Traces({
    windowMs: consistencyMs,
    ask: async (prs) => {
      if (can.changes) {
        try {
          const { answer, leftOut } = await calls.readPartly('changes', [...prs]);
          const unread = new Set(leftOut.map(({ index }) => index));
          // Items that could not be read are requested one by one.
          return answer.map((text, n) => (unread.has(n) ? null : (text ?? undefined)));
        } catch (error) {
          if (classifyFailure(error) !== 'one') throw error;
          return prs.map(() => null);
        }
      }
      round += 1;
      return prs.map(() => String(round));
    },
  });
  const refuseUnsupported = (operation: ForgeOperation): void => {
    if (operation === 'create_repo' && !can.createRepo)
      throw new SvcError('not-possible-now', `${id} cannot create repositories.`);
  };

  return {
    id,
    capabilities: { remote: true, createRepo: can.createRepo, decisions: ['approve'] },
    consistencyMs,
    doesOnce: new Set<ForgeOperation>(['create_repo', 'create_pr', 'approve_pr', 'merge_pr']),
    budget: () => calls.budget(),
    self,
    healthcheck: async () => options.healthcheck?.() ?? answerHealthcheck(await calls.read('self')),
    serves: isSlug,
    canonical: (slug) => (isSlug(slug) ? slug.toLowerCase() : null),
    slugs: () => [],
    repos: () => mirrors.all(),
    ...(can.repositoryAt
      ? { repositoryAt: (address: string) => calls.read('repositoryAt', address) }
      : {}),
    dropMirror: (slug, request) => mirrors.drop(slug, request),
    workRefs: mirrors.workRefs(),
    contents: mirrors.contents(),
    async source(slug, { fresh }) {
      if (!fresh) return mirrors.known(slug);
      return mirrors.fetch(slug);
    },

    async checkRepository(slug) {
      await calls.read('repository', checkSlug(slug));
    },

    async pullRequests(slug) {
      const all = await calls.read('pullRequests', checkSlug(slug));
      return all.slice(0, MAX_LISTED).map((pr) => toScmPrStatus(id, pr));
    },
    async pullRequest(repo, number) {
      const { pr, parts } = await readPr({ repo: checkSlug(repo), number });
      return toScmPrDetail(id, pr, parts);
    },
    async comments(repo, number) {
      const { pr, parts } = await readPr({ repo: checkSlug(repo), number });
      parts.expectRead('comments', `${repo}#${number}`);
      return pr.comments.map(toScmPrComment);
    },
    diff: (repo, number) => calls.read('diff', { repo: checkSlug(repo), number }),

    async news(prs) {
      return traces.news(prs, clock.now(), async (address) => {
        const { pr, parts } = await readPr({ ...address });
        const about = { self: await self(), selfIsPerson, now: clock.now() };
        const news = collectScmNews(id, pr, about, parts);
        const hindrances = hindrancesIn(pr, parts);
        return { news, mergeable: pr.mergeable === true, isOpen: pr.state === 'open', hindrances };
      });
    },
    touch: (prs) => traces.forget(prs),
    resync: async () => [],
    reviewParts: splitIntoTextParts,
    async write(operation, args, actor) {
      refuseUnsupported(operation);
      checkSlug(args.repo);
      return act[operation](args, actor);
    },
    find: (operation, args, actor) => look[operation](args, actor),
  };
}

/** Keeps an answer for {@link SELF_MS}; errors are not kept. */
function rememberAnswer(clock: Clock, ask: () => Promise<string>): () => Promise<string> {
  let last: { at: number; value: Promise<string> } | null = null;
  return () => {
    const now = clock.now();
    if (last !== null && now - last.at < SELF_MS) return last.value;
    const value = ask();
    const mine = { at: now, value };
    last = mine;
    value.catch(() => {
      if (last === mine) last = null;
    });
    return value;
  };
}
