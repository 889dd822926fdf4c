import type { MayAct } from '../../../base/concurrency/mayAct.ts';
import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { answerHealthcheck } from '../../rest/answers.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { AccountClient } from '../../../contract/forge/account.ts';
import type { RemoteForge } from '../../../contract/forge/remoteForge.ts';
import type { ForgeOperation, PrAddress } from '../../../contract/forge/forge.ts';
import { Mirrors } from '../../../git/mirror.ts';
import { expectText } from '../../rest/expectedValues.ts';
import { readAnswer } from '../../rest/lenientReader.ts';
import { readListedItems } from '../../rest/readListedItems.ts';
import { readLargeDiff } from '../../rest/readLargeDiff.ts';
import type { ForgeActions, ForgeLookups } from '../../rest/operations.ts';
import { splitIntoReviewParts } from '../../rest/reviewing.ts';
import { Traces } from '../../rest/traces.ts';
import { Builds } from './builds.ts';
import { BitbucketClient } from './client.ts';
import { createBitbucketPr, findCreatedBitbucketPr } from './createBitbucketPr.ts';
import { createBitbucketRepo, findCreatedBitbucketRepo } from './createBitbucketRepo.ts';
import {
  BITBUCKET,
  toBitbucketPrDetail,
  readBitbucketHead,
  pickBitbucketName,
  toBitbucketPrStatus,
} from './describe.ts';
import { Members } from './members.ts';
import { findBitbucketMerge, mergeBitbucketPr } from './mergeBitbucketPr.ts';
import { listBitbucketHindrances, collectBitbucketNews } from './news.ts';
import { OpenList, PR_PAGE } from './openList.ts';
import {
  readBitbucketPr,
  readBitbucketPullRequest,
  readBitbucketPushedAt,
} from './readBitbucketPullRequest.ts';
import type { PullRequest, Repository } from './resources.ts';
import {
  findBitbucketReview,
  resolveBitbucketThread,
  reviewBitbucketPr,
} from './reviewBitbucketPr.ts';
import { type BitbucketSettings, pickBitbucketGitUser, splitBitbucketSlug } from './settings.ts';
import {
  approveBitbucketPr,
  findBitbucketApproval,
  findBitbucketComment,
  postBitbucketComment,
  replyToBitbucketComment,
} from './commentsAndApprovals.ts';

export interface BitbucketForgeOptions {
  settings: BitbucketSettings;
  accountClient: AccountClient;
  clock: Clock;
  mirrorsDir: string;
  /** Asked right before each push; the account client asks for its own requests. */
  mayAct: MayAct;
  /** A person also uses the account: only what svc has marked counts as svc's own. */
  selfIsPerson: boolean;
}

const CONSISTENCY_MS = 10_000;
/** Age from which a change counts as settled, ms; the clocks may be some minutes apart. */
const LONG_AGO_MS = 10 * 60_000;
const MAX_LISTED = 500;

export function createBitbucketForge({
  settings,
  accountClient,
  clock,
  mirrorsDir,
  mayAct,
  selfIsPerson,
}: BitbucketForgeOptions): RemoteForge {
  const client = new BitbucketClient(settings, accountClient.fetch);
  const full = (slug: string): string => client.toFullSlug(slug);
  const mirrors = new Mirrors({
    dir: mirrorsDir,
    mayAct,
    network: (slug) => ({
      url: `${settings.web}/${full(slug)}.git`,
      username: pickBitbucketGitUser(settings),
      password: settings.token,
    }),
  });
  const open = new OpenList(client);
  const builds = new Builds(client);
  const members = new Members(client, clock);
  const traces = new Traces({
    windowMs: CONSISTENCY_MS,
    async ask(prs) {
      const glances = await open.glance(prs);
      const openPrs = prs.flatMap((pr, n) => {
        const glance = glances[n];
        return glance?.state === 'OPEN' ? [{ pr, glance }] : [];
      });
      await builds.look(openPrs, clock.now());
      const now = clock.now();
      return prs.map((pr, n) => {
        const glance = glances[n];
        if (!glance) return glance;
        const isOld = now - Date.parse(glance.updated_on) > LONG_AGO_MS;
        return { text: `${JSON.stringify(glance)} ${builds.turn(pr)}`, changedAt: isOld ? 0 : now };
      });
    },
  });
  const service = { client, mirrors };
  const act: ForgeActions = {
    create_repo: (args, actor) => createBitbucketRepo(client, args, actor),
    create_pr: (args, actor) =>
      createBitbucketPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => postBitbucketComment(client, args, actor),
    reply_to_comment: (args, actor) => replyToBitbucketComment(client, args, actor),
    approve_pr: (args) => approveBitbucketPr(client, args),
    merge_pr: (args, actor) => mergeBitbucketPr(client, clock, args, actor),
    review_pr: (args, actor) => reviewBitbucketPr(client, args, actor),
  };
  const look: ForgeLookups = {
    create_repo: (args, actor) => findCreatedBitbucketRepo(client, args, actor),
    create_pr: (args, actor) =>
      findCreatedBitbucketPr(service, { ...args, repo: full(args.repo) }, actor),
    post_pr_comment: (args, actor) => findBitbucketComment(client, args, actor),
    reply_to_comment: (args, actor) => findBitbucketComment(client, args, actor),
    approve_pr: (args) => findBitbucketApproval(client, args),
    merge_pr: (args, actor) => findBitbucketMerge(client, args, actor),
    review_pr: (args, actor) => findBitbucketReview(client, args, actor),
  };

  async function newsAbout(pr: PrAddress) {
    const bitbucketPrData = await readBitbucketPullRequest(client, pr.repo, pr.number);
    const self = (await client.self())?.uuid ?? '';
    const about = { self, selfIsPerson, now: clock.now() };
    const news = collectBitbucketNews(
      bitbucketPrData,
      await members.createMemberTest(bitbucketPrData),
      about,
    );
    builds.read(pr, readBitbucketHead(bitbucketPrData.pr), bitbucketPrData.builds, clock.now());
    const hindrances = listBitbucketHindrances(bitbucketPrData);
    const isOpen = bitbucketPrData.pr.state === 'OPEN';
    return { news, mergeable: bitbucketPrData.mergeable === true, isOpen, hindrances };
  }

  return {
    id: BITBUCKET,
    capabilities: { remote: true, createRepo: true, decisions: ['approve', 'request_changes'] },
    consistencyMs: CONSISTENCY_MS,
    doesOnce: new Set<ForgeOperation>(['create_repo', 'create_pr', 'approve_pr', 'merge_pr']),
    budget: () => accountClient.budget(),
    async self() {
      const account = await client.self();
      return account && pickBitbucketName(account);
    },
    async healthcheck() {
      const account = await client.account();
      return answerHealthcheck(account && pickBitbucketName(account));
    },
    serves: (slug) => splitBitbucketSlug(settings, slug) !== null,
    canonical(slug) {
      const place = splitBitbucketSlug(settings, slug);
      return place && `${place.workspace}/${place.repo}`.toLowerCase();
    },
    slugs: () => [],
    repos: () => mirrors.all(),
    dropMirror: (slug, request) => mirrors.drop(full(slug), request),
    workRefs: mirrors.workRefs(full),
    contents: mirrors.contents(full),
    source: async (slug, { fresh }) =>
      fresh ? mirrors.fetch(full(slug)) : mirrors.known(full(slug)),

    async checkRepository(slug) {
      const what = `repository ${slug}`;
      const repository = await client.get<Partial<Repository>>(what, client.repo(slug));
      readAnswer(client.server, what, () => expectText(repository.full_name, 'its name'));
    },

    async pullRequests(slug) {
      const query = {
        state: ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'],
        sort: '-created_on',
        pagelen: PR_PAGE,
      };
      const path = `${client.repo(slug)}/pullrequests`;
      const what = `repository ${slug}`;
      const all = await client.list<PullRequest>(what, path, query, MAX_LISTED);
      return readListedItems(client.server, what, all, toBitbucketPrStatus);
    },
    async pullRequest(slug, number) {
      const bitbucketPrData = await readBitbucketPullRequest(client, slug, number);
      const isApproved = (bitbucketPrData.pr.participants ?? []).some(({ approved }) => approved);
      const pushedAt = isApproved
        ? await bitbucketPrData.parts.ask(
            ['reviews'],
            readBitbucketPushedAt(client, slug, bitbucketPrData.pr),
          )
        : null;
      return toBitbucketPrDetail(bitbucketPrData, pushedAt);
    },
    async comments(slug, number) {
      const bitbucketPrData = await readBitbucketPullRequest(client, slug, number);
      bitbucketPrData.parts.expectRead('comments', describePullRequest(slug, number));
      return toBitbucketPrDetail(bitbucketPrData, null).thread;
    },
    diff: (slug, number) =>
      readLargeDiff({
        mirrors,
        slug: full(slug),
        ask: () =>
          client.diff(describePullRequest(slug, number), `${client.pr(slug, number)}/diff`),
        async ends() {
          const pr = await readBitbucketPr(client, slug, number);
          const ends = { base: pr.destination.commit?.hash ?? '', head: readBitbucketHead(pr) };
          // Bitbucket has no refs of pull requests: a fork's branch is in another repository.
          const fork = pr.source.repository?.full_name ?? '';
          if (fork === '' || fork === pr.destination.repository.full_name)
            return { ...ends, ref: null };
          return { ...ends, ref: `refs/heads/${pr.source.branch.name}`, fork };
        },
      }),

    news: (prs) => traces.news(prs, clock.now(), newsAbout),
    isMember: (slug, identities) => members.isMember(full(slug), identities),
    touch: (prs) => traces.forget(prs),
    resync: async () => [],
    reviewParts: splitIntoReviewParts,
    resolveThread: (thread) => resolveBitbucketThread(client, thread),
    write: (operation, args, actor) => act[operation](args, actor),
    find: (operation, args, actor) => look[operation](args, actor),
  };
}
