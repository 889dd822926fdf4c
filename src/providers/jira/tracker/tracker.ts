import { joinIntoOneLine } from '../../../base/text/clip.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { AccountClient } from '../../../contract/forge/account.ts';
import { RestClient } from '../../rest/client.ts';
import { expectList, expectText } from '../../rest/expectedValues.ts';
import { LenientReader, readAnswer } from '../../rest/lenientReader.ts';
import { MAX_COMMENTS, MAX_FOUND } from '../../rest/trackerLimits.ts';
import { createNoAccountError, type RestServer } from '../../rest/refusal.ts';
import { describeRefusal } from '../../rest/describeRefusal.ts';
import { createJobTracker } from '../../rest/createJobTracker.ts';
import { isOfPart } from '../../rest/unreadParts.ts';
import type { JobTracker } from '../../../contract/forge/tracker.ts';
import { toFields as fieldsIn } from '../../../base/json/untrusted.ts';
import {
  checkComment,
  toJiraComment,
  toJiraIssue,
  pickJiraUserId,
  type JiraComment,
  type JiraIssue,
  type JiraRemoteLink,
  type JiraUser,
} from './answers.ts';
import { createApiResolver } from './apiAddress.ts';
import { markdownToAdf } from '../adf/markdownToAdf.ts';
import { isJiraMember } from './members.ts';
import type { JiraSettings } from './settings.ts';
import { moveIssue } from './moveIssue.ts';

/** Quotes a text for JQL. Control characters mean nothing in a search, and Jira refuses some. */
const quoteJql = (text: string): string =>
  `"${text.replace(/[\p{Cc}]+/gu, ' ').replace(/[\\"]/g, '\\$&')}"`;

/** Characters with a meaning in Jira's text search, which looks for a text as it is written. */
const OPERATORS = /[+\-&|!(){}[\]^~*?\\:/]/g;

const KEY = /^[A-Za-z][A-Za-z0-9_]{1,29}-[1-9]\d{0,9}$/;

const isIssueKey = (text: string): boolean => KEY.test(text.trim());

/**
 * JQL for a text; an empty text means changes of the last 90 days, since Jira Cloud refuses a query
 * without any bound.
 */
function buildJql(text: string): string {
  const words = joinIntoOneLine(text.replace(OPERATORS, ' '));
  if (isIssueKey(text)) return `key = ${quoteJql(text.trim().toUpperCase())}`;
  return `${words === '' ? 'updated >= -90d' : `text ~ ${quoteJql(words)}`} ORDER BY updated DESC`;
}

const CAPTCHA = /CAPTCHA/i;
const LOGIN_PAGE = /\blogin-url=(\S+)/i;

/**
 * The error where Jira Data Center demands a CAPTCHA after failed logins, which no token avoids;
 * null = the answer is about something else.
 */
function readJiraDenial(
  { host, web }: RestServer & { web: string },
  headers: Headers,
): SvcError | null {
  const reason = headers.get('x-authentication-denied-reason') ?? '';
  const login = headers.get('x-seraph-loginreason') ?? '';
  if (!CAPTCHA.test(reason) && login !== 'AUTHENTICATION_DENIED') return null;
  const loginPage = LOGIN_PAGE.exec(reason)?.[1];
  const page = loginPage !== undefined && URL.canParse(loginPage) ? loginPage : `${web}/login.jsp`;
  return new SvcError(
    'config-invalid',
    `${host} does not accept logins of the token's account until it has solved a CAPTCHA, because logins with a wrong password or token failed before. A person logs in as this account at ${page}; svc then continues by itself. Check plugins.installed.jira.config.token too, or it happens again.`,
  );
}

const FIELDS = 'summary,description,status,labels,components,reporter';
const PAGE = 100;
/**
 * How far an answer of Jira may lag behind a write, ms. An issue is shown at once, but indices lag.
 */
const CONSISTENCY_MS = 5_000;
/** How far Jira's clock may be behind ours, ms. */
const CLOCKS_APART_MS = 5 * 60_000;
/** Property of a comment that names the operation that wrote it; invisible to people. */
const OPERATION_PROPERTY = 'svc.operation';

/** Scopes that a token needs for svc. */
const SCOPES = 'read:jira-work, write:jira-work, read:jira-user';

/**
 * Start of the next page: a count in version 2 and for comments, a token in the search of version
 * 3.
 */
function findNextJiraPage(body: unknown, url: string, count: number): string | null {
  const { startAt, total, nextPageToken, isLast } = Object(body);
  const next = new URL(url);
  if (typeof nextPageToken === 'string' && isLast !== true)
    next.searchParams.set('nextPageToken', nextPageToken);
  else if (typeof total === 'number' && count > 0 && Number(startAt) + count < total)
    next.searchParams.set('startAt', String(Number(startAt) + count));
  else return null;
  return next.href;
}

export function createJiraTracker({
  settings,
  accountClient,
}: {
  settings: JiraSettings;
  accountClient: AccountClient;
}) {
  const { web, api, version, authorization } = settings;
  const host = new URL(web).host;
  const address = createApiResolver(settings, accountClient.fetch);
  const hint =
    api === web
      ? version === 3
        ? 'A token with scopes, and every token of a service account, is accepted at api.atlassian.com alone: for such a token set plugins.installed.jira.config.cloudId to auto.'
        : undefined
      : `There it must be a token with the scopes ${SCOPES}; username, where it is set, must be the e-mail address of its account.`;
  const server = { host, web, tokenSetting: 'plugins.installed.jira.config.token' };
  const client = new RestClient({
    server,
    api: async () => `${await address()}/rest/api/${version}`,
    headers: { authorization },
    fetch: accountClient.fetch,
    readRefusal({ status, body, headers }) {
      const denial = readJiraDenial(server, headers);
      if (denial) throw denial;
      const message = describeRefusal(body);
      // The gateway knows the account, but the token lacks a scope.
      const isScope = status === 401 && /scope does not match/i.test(message);
      return isScope ? { message, status: 403, needs: SCOPES } : { message, hint };
    },
    readListPage({ body }, url) {
      const { comments, issues } = Object(body);
      const items: unknown = comments ?? issues;
      return { items, next: findNextJiraPage(body, url, Array.isArray(items) ? items.length : 0) };
    },
  });

  const keyIn = (ref: string): string | null => {
    const key = ref.trim().startsWith(`${web}/browse/`)
      ? ref.trim().slice(`${web}/browse/`.length).split(/[?#/]/, 1)[0]
      : ref.trim();
    return key !== undefined && KEY.test(key) ? key.toUpperCase() : null;
  };
  const buildIssuePath = (ref: string): string => {
    const key = keyIn(ref);
    if (key !== null) return `/issue/${key}`;
    throw new SvcError(
      'not-found',
      `${JSON.stringify(ref.slice(0, 200))} is not an issue of ${host}: a key looks like SHOP-1.`,
    );
  };
  const what = (ref: string): string => `issue ${keyIn(ref)}`;

  /**
   * An issue is complete without its links: a site may have them switched off or hidden, or they
   * may be unreadable.
   */
  const readLinks = async (ref: string, reader: LenientReader): Promise<string[]> => {
    try {
      const path = `${buildIssuePath(ref)}/remotelink`;
      const remoteLinks = (await client.getAny(`links of ${what(ref)}`, path)) as JiraRemoteLink[];
      return reader.readItems(
        'link',
        expectList(remoteLinks, 'the list'),
        ({ object }) => expectText(object?.url ?? '', 'the address of a link') || [],
      );
    } catch (error) {
      if (!isOfPart(error)) throw error;
      const isHidden =
        error instanceof SvcError && (error.code === 'not-found' || error.code === 'forbidden');
      if (!isHidden) reader.noteError('The list of links', error);
      return [];
    }
  };
  const issue: JobTracker['issue'] = async (ref, noteUnread) => {
    const jiraIssue = await client.get<JiraIssue>(what(ref), buildIssuePath(ref), {
      fields: FIELDS,
    });
    const reader = new LenientReader(noteUnread);
    const links = await readLinks(ref, reader);
    return readAnswer(client.server, what(ref), () => toJiraIssue(web, jiraIssue, links, reader));
  };

  let userRequest: Promise<JiraUser> | undefined;
  /** Asked for once; a failure is asked for again. */
  const myself = (): Promise<JiraUser> => {
    userRequest ??= client.getAny('the account of the token', '/myself').then((user) => {
      const id: unknown = pickJiraUserId(user as JiraUser | null);
      if (typeof id !== 'string' || id === '') throw createNoAccountError(client.server);
      return user as JiraUser;
    });
    userRequest.catch(() => {
      userRequest = undefined;
    });
    return userRequest;
  };
  const rawComments = (ref: string): Promise<JiraComment[]> =>
    client.list<JiraComment>(`comments of ${what(ref)}`, `${buildIssuePath(ref)}/comment`, {
      maxResults: PAGE,
      orderBy: 'created',
    });

  /**
   * Whether the comment has the property of the operation. A comment without properties is not a
   * failure.
   */
  const wroteIt = async (id: string, operationId: string): Promise<boolean> => {
    try {
      const path = `/comment/${encodeURIComponent(id)}/properties/${OPERATION_PROPERTY}`;
      const { value } = await client.get<{ value?: { id?: string } }>(`comment ${id}`, path);
      return value?.id === sha256(operationId);
    } catch (error) {
      if (error instanceof SvcError && error.code === 'not-found') return false;
      throw error;
    }
  };

  return createJobTracker({
    id: 'jira',
    accountClient,
    issue,
    consistencyMs: CONSISTENCY_MS,
    commentsOnce: false,
    serves: (ref) => keyIn(ref) !== null,
    async comments(ref, noteUnread) {
      const newest = (await rawComments(ref)).slice(-MAX_COMMENTS);
      return new LenientReader(noteUnread).readItems('comment', newest, (one) => {
        checkComment(one);
        return toJiraComment(one);
      });
    },
    async search(text, limit, noteUnread) {
      const most = Math.min(Math.max(1, limit), MAX_FOUND);
      const query = { jql: buildJql(text), fields: FIELDS, maxResults: most };
      const path = version === 3 ? '/search/jql' : '/search';
      try {
        const jiraIssues = await client.list<JiraIssue>('a search of issues', path, query, most);
        const reader = new LenientReader(noteUnread);
        return reader.readItems('issue', jiraIssues, (one) => toJiraIssue(web, one, [], reader));
      } catch (error) {
        // Jira refuses a query for an unknown key, in the language of the account.
        if (isIssueKey(text) && error instanceof SvcError && error.code === 'bad-argument')
          return [];
        throw error;
      }
    },
    async addComment(ref, body, { operationId }) {
      const request = {
        body: version === 3 ? markdownToAdf(body) : body,
        properties: [{ key: OPERATION_PROPERTY, value: { id: sha256(operationId) } }],
      };
      const isComment = ({ id, created }: Partial<JiraComment>) =>
        typeof id === 'string' && typeof created === 'string';
      const jiraComment = await client.send<JiraComment>(
        what(ref),
        'POST',
        `${buildIssuePath(ref)}/comment`,
        request,
        isComment,
      );
      return toJiraComment(jiraComment);
    },
    async findComment(ref, { at, operationId }) {
      const self = pickJiraUserId(await myself());
      const mine = (await rawComments(ref)).filter((one) => {
        const { id, author, created } = fieldsIn(one);
        const isRecent = Date.parse(String(created)) >= at - CLOCKS_APART_MS;
        return typeof id === 'string' && isRecent && pickJiraUserId(fieldsIn(author)) === self;
      });
      for (const one of mine.reverse())
        if (await wroteIt(one.id, operationId)) return toJiraComment(one);
      return null;
    },
    transitionFields: true,
    async move(before, target, fields) {
      await moveIssue(client, version, { issue: before, wanted: target, fields });
      return issue(before.key);
    },
    isMember: (identities) => isJiraMember(client, version, identities),
    async self() {
      const { displayName, accountId, key, name, emailAddress } = await myself();
      const ids = [accountId, key, name, emailAddress].flatMap((id) => id || []);
      return { shown: `${displayName ?? name} at ${host}`, ids };
    },
  });
}
