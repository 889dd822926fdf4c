import { describePullRequest } from '../../../base/text/describePullRequest.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { readNumberAt, readTextAt } from '../../../base/json/untrusted.ts';
import type { PrAddress } from '../../../contract/forge/forge.ts';
import { classifyFailure, MAX_UNANSWERED } from '../../rest/classifyFailure.ts';
import type { BitbucketClient } from './client.ts';
import type { PullRequest } from './resources.ts';

export const PR_PAGE = 50;
/** Most open pull requests of one list that are searched. */
const MAX_OPEN = 500;

const FIELDS = [
  'id',
  'state',
  'updated_on',
  'comment_count',
  'source.commit.hash',
  'destination.commit.hash',
  'destination.repository.full_name',
  'participants.state',
  'participants.user.uuid',
];
const LISTED = ['next', ...FIELDS.map((field) => `values.${field}`)].join(',');

export type PrGlance = Pick<PullRequest, 'id' | 'state' | 'updated_on' | 'source' | 'destination'>;

const toOpenPrKey = ({ repo, number }: PrAddress): string => `${repo.toLowerCase()}#${number}`;
const groupOpenPrs = <T>(all: readonly T[], keyOfOne: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOfOne(one), [...(groups.get(keyOfOne(one)) ?? []), one]);
  return groups;
};

const isDeniedToToken = (error: unknown): boolean =>
  error instanceof SvcError && ['not-found', 'forbidden', 'bad-argument'].includes(error.code);

const isGlance = (answer: unknown): boolean =>
  readNumberAt(answer, 'id') !== null &&
  readTextAt(answer, 'state') !== '' &&
  readTextAt(answer, 'destination', 'repository', 'full_name') !== '';

/**
 * Looks at many pull requests in few requests: all open ones of svc's account in a workspace, then
 * the open ones of a repository, then single ones. Bitbucket has no question for several by number.
 */
export class OpenList {
  readonly #client: BitbucketClient;
  /** Workspaces that do not show the open pull requests of an account. */
  readonly #closed = new Set<string>();

  constructor(client: BitbucketClient) {
    this.#client = client;
  }

  /**
   * In the order of `prs`; undefined for a pull request that is gone or hidden, null for one about
   * which the answer has nothing readable.
   */
  async glance(prs: readonly PrAddress[]): Promise<(PrGlance | null | undefined)[]> {
    const wantedPrs = prs.map(({ repo, number }) => ({
      repo: this.#client.toFullSlug(repo),
      number,
    }));
    const glances = new Map<string, PrGlance | null | undefined>();
    let unansweredCount = 0;
    const missing = () => wantedPrs.filter((pr) => !glances.has(toOpenPrKey(pr)));
    const note = (list: readonly PrGlance[]) => {
      for (const pr of list.filter(isGlance))
        glances.set(toOpenPrKey({ repo: pr.destination.repository.full_name, number: pr.id }), pr);
    };
    for (const [workspace, some] of groupOpenPrs(
      missing(),
      ({ repo }) => repo.split('/')[0] ?? '',
    )) {
      if (new Set(some.map(({ repo }) => repo.toLowerCase())).size > 1)
        note(await this.#ofAccount(workspace));
    }
    for (const [repo, some] of groupOpenPrs(missing(), ({ repo }) => repo)) {
      if (some.length > 1) note(await this.#ofRepository(repo));
    }
    for (const pr of missing()) {
      try {
        glances.set(toOpenPrKey(pr), await this.#readOne(pr));
        unansweredCount = 0;
      } catch (error) {
        const failure = classifyFailure(error);
        if (failure === 'no answer') unansweredCount += 1;
        if (failure === 'all' || unansweredCount >= MAX_UNANSWERED) throw error;
        glances.set(toOpenPrKey(pr), null);
      }
    }
    return wantedPrs.map((pr) => glances.get(toOpenPrKey(pr)));
  }

  async #ofAccount(workspace: string): Promise<PrGlance[]> {
    const self = await this.#client.self();
    if (self === null || this.#closed.has(workspace)) return [];
    const path = `/workspaces/${workspace}/pullrequests/${encodeURIComponent(self.uuid)}`;
    try {
      return await this.#list(`open pull requests of workspace ${workspace}`, path);
    } catch (error) {
      if (classifyFailure(error) !== 'one') throw error;
      if (isDeniedToToken(error)) this.#closed.add(workspace);
      return [];
    }
  }

  async #ofRepository(repo: string): Promise<PrGlance[]> {
    try {
      return await this.#list(`repository ${repo}`, `/repositories/${repo}/pullrequests`);
    } catch (error) {
      if (classifyFailure(error) === 'one') return [];
      throw error;
    }
  }

  #list(what: string, path: string): Promise<PrGlance[]> {
    return this.#client.list<PrGlance>(
      what,
      path,
      { state: 'OPEN', pagelen: PR_PAGE, fields: LISTED },
      MAX_OPEN,
    );
  }

  async #readOne({ repo, number }: PrAddress): Promise<PrGlance | null | undefined> {
    try {
      const path = this.#client.pr(repo, number);
      const fields = FIELDS.join(',');
      const answer = await this.#client.get<PrGlance>(describePullRequest(repo, number), path, {
        fields,
      });
      return isGlance(answer) ? answer : null;
    } catch (error) {
      if (isDeniedToToken(error)) return undefined;
      throw error;
    }
  }
}
