import { SvcError } from '../../../shared/errors/errors.ts';
import { type RestAnswer, RestClient } from '../../rest/client.ts';
import { isNumericId } from '../../rest/expectedValues.ts';
import { readNextLink } from '../../rest/readNextLink.ts';
import { createNoAccountError } from '../../rest/refusal.ts';
import { type ErrorText, describeRefusal } from '../../rest/describeRefusal.ts';
import type { GitlabUser } from './answers.ts';
import { type GitlabSettings, resolveGitlabPath } from './settings.ts';

/** Things on a page: the most that GitLab gives. */
export const PAGE = 100;

/** GitLab's texts of a field continue its name, as in `title can't be blank`. */
const joinFieldPath = ({ field, text }: ErrorText): string =>
  field === '' ? text : `${field} ${text}`;

const readGitlabRefusal = ({ body }: RestAnswer) => {
  const { scope } = Object(body);
  return {
    message: describeRefusal(body, joinFieldPath),
    // Refused for its scope: GitLab names those of which one would do.
    needs: typeof scope === 'string' ? scope.split(' ').join(', ') : null,
  };
};

/**
 * The Link header leads through both of GitLab's ways of paging; where a proxy has dropped it, the
 * number of the next page.
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
  // A server behind a proxy may name itself by an address that is not ours: only what it asks for
  // is taken.
  else next.search = new URL(link, url).search;
  return { items, next: next.href };
}

/** What GitLab says to a write under the former path of a project; a read is redirected. */
const MOVED = 'Non GET methods are not allowed for moved projects';
const PROJECT = /^(.*\/projects\/)([^/?]+)(.*)$/;

/** Repeats a write of a moved project, which was not done, under the project's number. */
const withMovedProject =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const [, before = '', project, rest = ''] = PROJECT.exec(String(input)) ?? [];
    if (response.status !== 405 || project === undefined) return response;
    if (!(await response.clone().text()).includes(MOVED)) return response;
    const { headers } = init ?? {};
    const found = await fetch(`${before}${project}`, headers ? { headers } : {});
    const { id } = found.ok ? Object(await found.json().catch(() => null)) : Object(null);
    return isNumericId(id) ? fetch(`${before}${id}${rest}`, init) : response;
  };

/** Asks GitLab, and turns its refusals into errors that say what to do. */
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

  /** With its groups. Throws SvcError `bad-argument` for a slug that cannot be one. */
  toFullPath(slug: string): string {
    const path = resolveGitlabPath(this.settings, slug);
    if (path !== null) return path;
    throw new SvcError(
      'bad-argument',
      `repo ${JSON.stringify(slug.slice(0, 200))} is not a project of ${this.host}: write <group>/<project>, with every group above it.`,
    );
  }

  /** Path of a project in the API. */
  project(slug: string): string {
    return `/projects/${encodeURIComponent(this.toFullPath(slug))}`;
  }

  /** Path of a merge request in the API. */
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

  /** The same, asked for now. */
  async account(): Promise<GitlabUser> {
    const user = (await this.rest.getAny('the account of the token', '/user')) as GitlabUser | null;
    if (!isNumericId(user?.id) || typeof user?.username !== 'string' || user.username === '')
      throw createNoAccountError(this.rest.server);
    return user;
  }
}
