import { toIsoDate } from '../../../base/json/untrusted.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { AccountClient } from '../../../contract/forge/account.ts';
import { cutIssueText, MAX_COMMENTS, MAX_FOUND } from '../../rest/trackerLimits.ts';
import { createNoAccountError, createUnconfirmedError } from '../../rest/refusal.ts';
import { createJobTracker } from '../../rest/createJobTracker.ts';
import { expectDate, expectId, expectText } from '../../rest/expectedValues.ts';
import { expectAnsweredList, LenientReader, readAnswer } from '../../rest/lenientReader.ts';
import type { Issue, IssueComment, JobTracker } from '../../../contract/forge/tracker.ts';
import { LinearClient, type LinearSettings } from './client.ts';
import * as queries from './queries.ts';
import type { LinearComment, LinearIssue, PageInfo } from './queries.ts';

const MAX_PAGES = 40;
/**
 * How far an answer of Linear may lag behind a write, ms. An issue is shown at once, but the search
 * lags.
 */
const CONSISTENCY_MS = 5_000;
/** Linear takes 30 searches a minute, whatever is left of the account's other limits. */
const SEARCHES = { name: 'searches', most: 30, ms: 60_000 };

const KEY = /^[A-Za-z][A-Za-z0-9]{0,9}-[1-9]\d{0,9}$/;
const ADDRESS = /^https:\/\/linear\.app\/[^/]+\/issue\/([A-Za-z0-9]+-\d+)(?:[/?#]|$)/;

/**
 * The id of an operation's comment, a UUID of version 4 as Linear wants it: always the same for an
 * operation.
 */
function deriveLinearCommentId(operationId: string): string {
  const hex = sha256(operationId);
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Throws for an issue without a key. */
function toLinearIssue(linearIssue: LinearIssue, lenientReader = new LenientReader()): Issue {
  const { identifier, title, description, url, archivedAt, trashed, state, creator } = linearIssue;
  const key = expectText(identifier, 'its key');
  const reader = lenientReader.about(key);
  return {
    key,
    title: reader.readText('title', title),
    body: cutIssueText(reader.readText('text', description)),
    status: reader.readText('status', state?.name),
    ...(trashed === true ? { gone: 'trashed' } : archivedAt ? { gone: 'archived' } : {}),
    url: reader.readText('address', url),
    labels: reader.readList('label', linearIssue.labels?.nodes, ({ name }) =>
      expectText(name, 'the name of a label'),
    ),
    links: reader.readList('link', linearIssue.attachments?.nodes, (one) =>
      expectText(one.url, 'the address of a link'),
    ),
    member: creator != null,
  };
}

/** Throws, with the wrong value, for a comment that svc cannot read. */
function checkComment({ id, body, createdAt, ...authors }: LinearComment): void {
  expectId(id, 'the id of a comment');
  expectText(body, 'the body of a comment');
  expectDate(createdAt, 'the date of a comment');
  expectText(readAuthor(authors), 'the name of an author');
}

const readAuthor = ({
  user,
  botActor,
  externalUser,
}: Pick<LinearComment, 'user' | 'botActor' | 'externalUser'>): string =>
  user?.displayName ?? externalUser?.displayName ?? botActor?.name ?? 'unknown';

const toLinearComment = (comment: LinearComment): IssueComment => ({
  id: comment.id,
  author: readAuthor(comment),
  body: cutIssueText(comment.body),
  at: toIsoDate(comment.createdAt),
  member: comment.user !== null && comment.botActor === null && comment.externalUser === null,
});

/** Cursor of the next page; null = none exists. Throws where the answer does not say. */
function readNextPage(pageInfo: PageInfo | undefined): string | null {
  const { hasNextPage, endCursor } = Object(pageInfo) as Partial<PageInfo>;
  return hasNextPage === false ? null : expectId(endCursor, 'the place of the next page');
}

export function createLinearTracker({
  settings,
  accountClient,
}: {
  settings: LinearSettings;
  accountClient: AccountClient;
}) {
  const client = new LinearClient(settings, accountClient);

  const keyIn = (ref: string): string | null => {
    const key = ADDRESS.exec(ref.trim())?.[1] ?? ref.trim();
    return KEY.test(key) ? key.toUpperCase() : null;
  };
  const requireKey = (ref: string): string => {
    const key = keyIn(ref);
    if (key !== null) return key;
    throw new SvcError(
      'not-found',
      `${JSON.stringify(ref.slice(0, 200))} is not an issue of ${client.host}: a key looks like ENG-1.`,
    );
  };
  const what = (ref: string): string => `issue ${keyIn(ref)}`;

  const issue: JobTracker['issue'] = async (ref, noteUnread) => {
    const id = requireKey(ref);
    const answer = await client.ask<{ issue: LinearIssue | null }>(what(ref), queries.GET_ISSUE, {
      id,
    });
    const linearIssue = answer.issue;
    if (linearIssue)
      return readAnswer(client, what(ref), () =>
        toLinearIssue(linearIssue, new LenientReader(noteUnread)),
      );
    throw new SvcError(
      'not-found',
      `${client.host} has no ${what(ref)}, or the key may not see it.`,
    );
  };

  let team: Promise<string> | undefined;
  /** Id of the configured team; null = none is configured. */
  const teamId = async (): Promise<string | null> => {
    const { teamKey } = settings;
    if (teamKey === '') return null;
    team ??= client
      .ask<{ teams: { nodes?: { id: string }[] } | null }>(`team ${teamKey}`, queries.GET_TEAM, {
        key: teamKey,
      })
      .then(({ teams }) => {
        const about = `team ${teamKey}`;
        const [node] = expectAnsweredList(client, about, teams?.nodes);
        if (node) return readAnswer(client, about, () => expectText(node.id, 'its id'));
        throw new SvcError(
          'config-invalid',
          `${client.host} has no team with the key ${teamKey}, or the API key may not see it: check plugins.installed.linear.config.teamKey.`,
        );
      });
    team.catch(() => {
      team = undefined;
    });
    return team;
  };

  const comment = async (id: string): Promise<IssueComment | null> => {
    try {
      const answer = await client.ask<{ comment: LinearComment | null }>(
        `comment ${id}`,
        queries.GET_COMMENT,
        { id },
      );
      const { comment: linearComment } = answer;
      return (
        linearComment && readAnswer(client, `comment ${id}`, () => toLinearComment(linearComment))
      );
    } catch (error) {
      if (error instanceof SvcError && error.code === 'not-found') return null;
      throw error;
    }
  };

  return createJobTracker({
    id: 'linear',
    accountClient,
    issue,
    consistencyMs: CONSISTENCY_MS,
    commentsOnce: true,
    serves: (ref) => keyIn(ref) !== null,
    async comments(ref, noteUnread) {
      const reader = new LenientReader(noteUnread);
      const about = `comments of ${what(ref)}`;
      const id = requireKey(ref);
      const all: LinearComment[] = [];
      let after: string | null = null;
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        type Page = {
          issue: { comments?: { nodes?: LinearComment[]; pageInfo?: PageInfo } } | null;
        };
        const page: Page = await client.ask<Page>(about, queries.GET_COMMENTS, { id, after });
        const { nodes, pageInfo } = page.issue?.comments ?? {};
        all.push(...expectAnsweredList(client, about, nodes));
        const next: string | null = reader.readValue('number of further comments', null, () =>
          readNextPage(pageInfo),
        );
        if (next === null || next === after) break;
        after = next;
      }
      const oldestFirst = reader
        .readItems('comment', all, (one) => {
          checkComment(one);
          return toLinearComment(one);
        })
        .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
      return oldestFirst.slice(-MAX_COMMENTS);
    },
    async search(text, limit, noteUnread) {
      const first = Math.min(Math.max(1, limit), MAX_FOUND);
      const id = await teamId();
      const filter = id === null ? null : { team: { id: { eq: id } } };
      const reader = new LenientReader(noteUnread);
      const readFound = (about: string, nodes: LinearIssue[] | undefined): Issue[] =>
        reader.readItems('issue', expectAnsweredList(client, about, nodes), (one) =>
          toLinearIssue(one, reader),
        );
      if (text.trim() === '') {
        type Latest = { issues: { nodes: LinearIssue[] } | null };
        const about = 'the latest issues';
        const { issues } = await client.ask<Latest>(about, queries.LATEST, { first, filter });
        return readFound(about, issues?.nodes);
      }
      type Found = { searchIssues: { nodes: LinearIssue[] } | null };
      const variables = { term: text.trim(), first, filter };
      const about = 'a search of issues';
      const { searchIssues } = await client.ask<Found>(about, queries.SEARCH, variables, SEARCHES);
      return readFound(about, searchIssues?.nodes);
    },
    async addComment(ref, body, { operationId }) {
      const id = deriveLinearCommentId(operationId);
      const input = { id, issueId: requireKey(ref), body };
      type Made = { commentCreate?: { success: boolean; comment?: LinearComment } };
      try {
        const { commentCreate: creation } = await client.ask<Made>(
          what(ref),
          queries.CREATE_COMMENT,
          {
            input,
          },
        );
        if (creation?.success !== true || creation.comment?.id !== id)
          throw createUnconfirmedError(client, what(ref));
        return toLinearComment(creation.comment);
      } catch (error) {
        // Linear refuses a used id: the comment is ours, from an attempt whose answer was lost.
        const there =
          error instanceof SvcError && error.code === 'bad-argument' ? await comment(id) : null;
        if (there) return there;
        throw error;
      }
    },
    findComment: (_ref, { operationId }) => comment(deriveLinearCommentId(operationId)),
    async move({ key, status }, target) {
      type Team = {
        issue: { team?: { states?: { nodes?: { id: string; name: string }[] } } } | null;
      };
      const about = `statuses of ${what(key)}`;
      const team = await client.ask<Team>(about, queries.GET_STATES, { id: key });
      const nodes = expectAnsweredList(client, about, team.issue?.team?.states?.nodes);
      const states = readAnswer(client, about, () =>
        nodes.map(({ id, name }) => ({
          id: expectId(id, 'the id of a status'),
          name: expectText(name, 'the name of a status'),
        })),
      );
      const state = states.find(({ name }) => name.toLowerCase() === target.trim().toLowerCase());
      if (!state) {
        const names = states.map(({ name }) => name).join(', ');
        throw new SvcError(
          'conflict',
          `${key} is ${status} and cannot become ${JSON.stringify(target)}: its team has no such status. It has: ${names}.`,
        );
      }
      type Moved = { issueUpdate?: { success: boolean; issue?: LinearIssue } };
      const input = { stateId: state.id };
      const { issueUpdate: update } = await client.ask<Moved>(what(key), queries.SET_STATE, {
        id: key,
        input,
      });
      const after = update?.issue;
      if (update?.success !== true || !after) throw createUnconfirmedError(client, what(key));
      return readAnswer(client, what(key), () => toLinearIssue(after));
    },
    async self() {
      type Self = {
        viewer: { id: string; email: string; displayName: string; organization: { name: string } };
      };
      const { viewer } = await client.ask<Self>('the account of the API key', queries.GET_SELF);
      if (typeof viewer?.id !== 'string' || typeof viewer.organization?.name !== 'string')
        throw createNoAccountError(client.server);
      // Reports a wrong team before the first agent searches.
      await teamId();
      return {
        shown: `${viewer.displayName} of ${viewer.organization.name}`,
        ids: [viewer.id, viewer.email],
      };
    },
  });
}
