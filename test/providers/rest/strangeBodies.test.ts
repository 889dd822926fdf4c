import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NewsBatch } from '../../../src/contract/forge/forge.ts';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import {
  answeredClients,
  type GivenAnswer,
  type SentRequest,
} from '../../support/forges/answeredClients.ts';

const test = suite('an answer of a kind that was not asked for is unreachable');

type Clients = ReturnType<typeof answeredClients>;
type Ask = (clients: Clients) => Promise<unknown>;

const HTML = '<!DOCTYPE html><html><head><title>Log in</title></head><body>Log in</body></html>';
const html = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: HTML };

/** What comes where an object is wanted. */
const BODIES: Readonly<Record<string, GivenAnswer>> = {
  nothing: { body: '' },
  null: { body: 'null' },
  'a number': { body: '7' },
  'a text of JSON': { body: '"fine"' },
  'a text': { body: 'fine' },
  'a list': { body: '[]' },
  'a list of null': { body: '[null]' },
  'an empty object': { body: '{}' },
  'an HTML page': html,
};
const STATUSES = [200, 202, 204, 206, 300];

const PR = { repo: 'acme/shop', number: 1 };
const ACTOR = { author: 'svc:job', at: 0, operationId: 'op' };
const HEAD = '0123456789abcdef0123456789abcdef01234567';

/** A pull request and an account that can be read, in the words of every forge. */
const GOOD_PR = {
  id: 1,
  iid: 1,
  number: 1,
  title: 'T',
  state: 'open',
  merged_at: null,
  html_url: 'https://host.test/1',
  web_url: 'https://host.test/1',
  sha: HEAD,
  source_branch: 'f',
  target_branch: 'main',
  references: { full: 'acme/shop!1' },
  detailed_merge_status: 'mergeable',
  merge_status: 'can_be_merged',
  user: { login: 'ann' },
  author: { uuid: '{a}', username: 'ann', id: 7 },
  head: { ref: 'f', sha: HEAD },
  base: { ref: 'main', sha: HEAD, repo: { full_name: 'acme/shop' } },
  links: { html: { href: 'https://host.test/1' } },
  source: { branch: { name: 'f' }, commit: { hash: HEAD } },
  destination: { branch: { name: 'main' }, repository: { full_name: 'acme/shop' } },
};
const STATES: Readonly<Record<string, string>> = { gitlab: 'opened', bitbucket: 'OPEN' };
const SELF = { login: 'svc', id: 9, username: 'svc', uuid: '{s}', nickname: 'svc' };

/** Throws what a poll reports instead of news. */
async function expectNews(news: Promise<NewsBatch>): Promise<void> {
  const { problem, unseen = [], unanswered = [], hindered = [] } = await news;
  if (problem) throw problem;
  const [failure] = [...unseen, ...unanswered, ...hindered];
  if (failure) throw Object.assign(new Error(failure.why), { code: 'unreachable' });
}

const FORGES = ['github', 'gitlab', 'bitbucket'] as const;
const TRACKERS = { githubIssues: 'acme/shop#1', jira: 'SHOP-1', linear: 'SHOP-1' } as const;

const OPERATIONS: Record<string, Ask> = {};
/** Those that want a list: an empty one is an answer. */
const WANT_LISTS = new Set<string>();
for (const forge of FORGES) {
  const wants: Record<string, Ask> = {
    pullRequest: (to) => to[forge].pullRequest(PR.repo, PR.number),
    pullRequests: (to) => to[forge].pullRequests(PR.repo),
    checkRepository: (to) => to[forge].checkRepository(PR.repo),
    comments: (to) => to[forge].comments(PR.repo, PR.number),
    approve: (to) => to[forge].write('approve_pr', { ...PR, head: HEAD }, ACTOR),
    merge: (to) => to[forge].write('merge_pr', { ...PR, head: HEAD }, ACTOR),
    post: (to) => to[forge].write('post_pr_comment', { ...PR, body: 'Hello' }, ACTOR),
    news: (to) => expectNews(to[forge].news([PR])),
    find: (to) => to[forge].find('merge_pr', { ...PR, head: HEAD }, ACTOR),
  };
  for (const [name, ask] of Object.entries(wants)) OPERATIONS[`${forge} ${name}`] = ask;
}
for (const [id, key] of Object.entries(TRACKERS)) {
  const tracker = id as keyof typeof TRACKERS;
  OPERATIONS[`${id} issue`] = (to) => to[tracker].issue(key);
  OPERATIONS[`${id} comments`] = (to) => to[tracker].comments(key);
  OPERATIONS[`${id} search`] = (to) => to[tracker].search('words', 5);
  OPERATIONS[`${id} transition`] = (to) => to[tracker].transition(key, 'Done', 'op');
}
for (const name of ['github pullRequests', 'gitlab pullRequests', 'gitlab news'])
  WANT_LISTS.add(name);
WANT_LISTS.add('githubIssues comments');
/** Those that may end with the account, which is of the configuration where it is not named. */
const ACCOUNT_FIRST = new Set(['github news', 'gitlab news', 'bitbucket news']);

/** What an operation ends with: the code of its error, or the name of another one. */
async function catchCode(
  ask: Ask,
  answer: (request: SentRequest) => GivenAnswer,
): Promise<{ code: string; status: unknown; text: string }> {
  const clients = answeredClients(answer);
  try {
    await clients.settled(ask(clients));
    return { code: 'no error', status: undefined, text: '' };
  } catch (error) {
    const { code, name, message, data } = Object(error);
    return { code: String(code ?? name), status: Object(data).status, text: String(message) };
  }
}

for (const [operation, ask] of Object.entries(OPERATIONS))
  for (const [body, badReply] of Object.entries(BODIES))
    for (const status of STATUSES) {
      // What a status means does not depend on the body, nor the body on the status.
      if (status !== 200 && body !== 'nothing' && body !== 'null') continue;
      if (status === 204 && body !== 'nothing') continue;
      if (body.startsWith('a list') && WANT_LISTS.has(operation) && status !== 300) continue;
      test(`${operation}: ${status} with ${body}`, async () => {
        const { code, text } = await catchCode(ask, () => ({ ...badReply, status }));
        if (ACCOUNT_FIRST.has(operation) && code === 'config-invalid') return;
        assert.is(code, 'unreachable', text);
      });
    }

/** Later requests of a write whose first ones were answered well. */
for (const forge of FORGES)
  for (const operation of ['approve', 'merge', 'post'])
    for (const [body, badReply] of Object.entries(BODIES))
      test(`${forge} ${operation} after a pull request that is read: ${body}`, async () => {
        const pr = { ...GOOD_PR, state: STATES[forge] ?? 'open' };
        const isPr = /(?:pulls|merge_requests|pullrequests)\/1$/;
        const ask = OPERATIONS[`${forge} ${operation}`] ?? assert.unreachable;
        const { code, text } = await catchCode(ask as Ask, ({ method, path }) =>
          method === 'GET' && isPr.test(path)
            ? { body: pr }
            : path.endsWith('/user')
              ? { body: SELF }
              : badReply,
        );
        assert.is(code, 'unreachable', text);
      });

for (const [body, data] of Object.entries({ null: null, 'a number': 7, 'a list': [], empty: {} }))
  for (const operation of Object.keys(OPERATIONS).filter((one) =>
    /^(?:linear|github (?:pullRequest|comments|news)$)/.test(one),
  ))
    test(`${operation}: GraphQL data that is ${body}`, async () => {
      const ask = OPERATIONS[operation] as Ask;
      const { code, text } = await catchCode(ask, () => ({ body: { data } }));
      if (ACCOUNT_FIRST.has(operation) && code === 'config-invalid') return;
      assert.is(code, 'unreachable', text);
    });

for (const forge of FORGES)
  test(`${forge}: a page of HTML is no diff`, async () => {
    const ask: Ask = (to) => to[forge].diff(PR.repo, PR.number);
    assert.is((await catchCode(ask, () => html)).code, 'unreachable');
  });

for (const [what, items] of Object.entries({ 'none of': [null], 'one of': [null, GOOD_PR] }))
  for (const forge of FORGES)
    test(`${forge}: a list of pull requests ${what} which can be read`, async () => {
      const values = items.map((one) => one && { ...one, state: STATES[forge] ?? 'open' });
      const body = forge === 'bitbucket' ? { values } : values;
      const clients = answeredClients(() => ({ body }));
      const listing = clients.settled(clients[forge].pullRequests(PR.repo));
      const result = await listing.catch((error: unknown) => Object(error).code);
      assert.is(
        Array.isArray(result) ? result.length : result,
        what === 'one of' ? 1 : 'unreachable',
      );
    });

test('GitHub: a page of pull requests that leads to itself ends the list', async () => {
  const link = '<https://host.test/api/v3/repositories/1/pulls?page=2>; rel="next"';
  const clients = answeredClients(() => ({ headers: { link }, body: [] }));
  await clients.settled(clients.github.pullRequests(PR.repo));
  assert.is(clients.sent.length, 2);
});

test('Jira: a list of links that is none is left out, and the issue is shown', async () => {
  const issue = { key: 'SHOP-1', fields: { summary: 'T', status: { name: 'Open' } } };
  const clients = answeredClients(({ path }) => ({
    body: path.includes('/remotelink') ? '{}' : issue,
  }));
  const notes: string[] = [];
  await clients.settled(clients.jira.issue('SHOP-1', (note) => notes.push(note)));
  assert.match(notes.join(), 'list of links');
});

test('what came is named, and of a page its title alone', async () => {
  const ask: Ask = (to) => to.github.write('merge_pr', { ...PR, head: HEAD }, ACTOR);
  const { text } = await catchCode(ask, () => html);
  assert.is(
    text,
    'host.test answers about pull request acme/shop#1 with a page of HTML ("Log in") instead of an object.',
  );
});

test('the status of what came is kept', async () => {
  const ask: Ask = (to) => to.gitlab.write('merge_pr', { ...PR, head: HEAD }, ACTOR);
  assert.is((await catchCode(ask, () => ({ status: 202, body: 'null' }))).status, 202);
});

test('a page of HTML is screened like a refusal', async () => {
  const client = new AccountClient({
    mayAct: mayAlwaysAct,
    screen: (text) => text.replaceAll('hidden', '***'),
    host: 'host.test',
    clock: new SimulatedClock(),
    random: () => 0,
    perJob: 10,
    fetch: async () => new Response(HTML.replace('Log in', 'hidden')),
  });
  assert.not.match(await (await client.fetch('https://host.test/x')).text(), 'hidden');
});

test.run();
