import { SvcError } from '../../../base/errors/errors.ts';
import { type RestAnswer, RestClient } from '../../rest/client.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { readNextLink } from '../../rest/readNextLink.ts';
import { createNoAccountError } from '../../rest/refusal.ts';
import { type ErrorText, describeRefusal } from '../../rest/describeRefusal.ts';
import type { GitlabUser } from './answers.ts';
import { type GitlabSettings, resolveGitlabPath } from './settings.ts';

export const PAGE = 100;

/** GitLab's texts about a field continue its name, as in `title can't be blank`. */
const joinFieldPath = ({ field, text }: ErrorText): string =>
  field === '' ? text : `${field} ${text}`;

const readGitlabRefusal = ({ body }: RestAnswer) => {
  const { scope } = Object(body);
  return {
    message: describeRefusal(body, joinFieldPath),
    // Refused for its scope: GitLab names the scopes of which one would do.
    needs: typeof scope === 'string' ? scope.split(' ').join(', ') : null,
  };
};

/**
 * The Link header works for both of GitLab's ways of paging; where a proxy has dropped it, the
 * number of the next page is used.
 */
function readGitlabPage(
  { body, headers }: RestAnswer,
  url: string,
): { items: unknown; next: string | null } {
  const items = body;
  const link = readNextLink(headers);
  const number = headers.get('x-next-page');
  if (link === null && !number) return { items, next: null };
  const next = new URL(url);
  if (link === null) next.searchParams.set('page', number ?? '');
  // A server behind a proxy may use another address for itself, so only the query is taken.
  else next.search = new URL(link, url).search;
  return { items, next: next.href };
}

/** GitLab's answer to a write under the former path of a project; a read is redirected. */
const MOVED = 'Non GET methods are not allowed for moved projects';
const PROJECT = /^(.*\/projects\/)([^/?]+)(.*)$/;

/** Repeats a write to a moved project, which was not done, with the project's number. */
const withMovedProject =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const [, before = '', project, rest = ''] = PROJECT.exec(String(input)) ?? [];
    if (response.status !== 405 || project === undefined) return response;
    if (!(await response.clone().text()).includes(MOVED)) return response;
    const { headers } = init ?? {};
    const pageResponse = await fetch(`${before}${project}`, headers ? { headers } : {});
    const { id } = pageResponse.ok
      ? Object(await pageResponse.json().catch(() => null))
      : Object(null);
    return isNumericId(id) ? fetch(`${before}${id}${rest}`, init) : response;
  };

export class GitlabClient {
  readonly rest: RestClient;
  readonly settings: GitlabSettings;
  readonly host: string;
  #self: Promise<GitlabUser> | undefined;

  constructor(settings: GitlabSettings, fetch: typeof globalThis.fetch) {
    const { api, web, token } = settings;
    this.settings = settings;
    this.host = new URL(web).host;
    this.rest = new RestClient({
      server: { host: this.host, tokenSetting: 'plugins.installed.gitlab.config.token' },
      api,
      fetch: withMovedProject(fetch),
      headers: { authorization: `Bearer ${token}` },
      readRefusal: readGitlabRefusal,
      readListPage: readGitlabPage,
    });
  }

  /** The path with its groups. Throws SvcError `bad-argument` for an invalid slug. */
  toFullPath(slug: string): string {
    const path = resolveGitlabPath(this.settings, slug);
    if (path !== null) return path;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is not a project of ${this.host}: write <group>/<project>, with every group above it.`,
    );
  }

  project(slug: string): string {
    return `/projects/${encodeURIComponent(this.toFullPath(slug))}`;
  }

  mergeRequest(slug: string, number: number): string {
    return `${this.project(slug)}/merge_requests/${number}`;
  }

  /** The token's account. Asked for once; a failure is asked for again. */
  self(): Promise<GitlabUser> {
    this.#self ??= this.account();
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
  }

  /** As `self`, but always asks. */
  async account(): Promise<GitlabUser> {
    const user = (await this.rest.getAny('the account of the token', '/user')) as GitlabUser | null;
    if (!isNumericId(user?.id) || typeof user?.username !== 'string' || user.username === '')
      throw createNoAccountError(this.rest.server);
    return user;
  }
}
