import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillParamsFromTicket } from '../../src/jobs/tickets/fillParamsFromTicket.ts';
import { TICKET_MS } from '../../src/jobs/tickets/resolveTicketKey.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { Forge } from '../../src/contract/forge/forge.ts';
import { createForges } from '../../src/providers/forges.ts';
import type { Issue, JobTracker, NoteUnread } from '../../src/contract/forge/tracker.ts';
import { createTrackers } from '../../src/providers/trackers.ts';
import { codeOfRefusal, catchRefusal } from '../support/refusal.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { noMissingRepositories } from '../support/standIns/noJobGates.ts';

const test = suite('runner: a job from a ticket');

const ISSUE: Issue = {
  key: 'SHOP-1',
  title: 'Add a note',
  body: 'repo: shop',
  status: 'To Do',
  url: 'https://jira.test/browse/SHOP-1',
};

/** Trackers by id with the form of their keys; each answers the issue, or what is given instead. */
function world(
  ids: Record<string, RegExp>,
  answer: (note: NoteUnread) => Promise<Issue> = async () => ISSUE,
) {
  const asked: string[] = [];
  const trackers = Object.entries(ids).map(([id, form]) => ({
    id,
    serves: (ref: string) => form.test(ref),
    issue(key: string, note: NoteUnread = () => {}) {
      asked.push(`${id} ${key}`);
      return answer(note);
    },
  }));
  const clock = new SimulatedClock();
  const shop = {
    id: 'local',
    serves: (slug: string) => slug === 'shop',
  } as Partial<Forge> as Forge;
  const deps = {
    clock,
    forges: createForges([shop]),
    sites: [],
    repositories: noMissingRepositories,
    trackers: createTrackers(() => trackers as Partial<JobTracker>[] as JobTracker[]),
  };
  return {
    asked,
    clock,
    filled: (params: Record<string, unknown>) => fillParamsFromTicket(deps, params),
  };
}

const KEY = /^[A-Z]+-\d+$/;

const INCOMPLETE = 'The comments of SHOP-1 cannot be read.';
const readPart = async (note: NoteUnread): Promise<Issue> => {
  note(INCOMPLETE);
  return ISSUE;
};

test('what of the ticket cannot be read is in the description, for the agent and the person', async () => {
  const { filled } = world({ jira: KEY }, readPart);
  const { params } = await filled({ jiraTicketId: 'SHOP-1' });
  assert.match(
    String(params.description),
    `repo: shop\n\nsvc could not read all of the ticket: ${INCOMPLETE}`,
  );
});

test('where the ticket names no repository, what of it cannot be read is named too', async () => {
  const { filled } = world({ jira: KEY }, async (note) => ({
    ...(await readPart(note)),
    body: '',
  }));
  const { noRepo } = await filled({ jiraTicketId: 'SHOP-1' });
  assert.match(noRepo ?? '', INCOMPLETE);
});

test('description and repository come from the ticket; what the request says stays', async () => {
  const { filled, asked } = world({ jira: KEY });
  assert.equal(await filled({ jiraTicketId: 'SHOP-1', reviewers: ['ann'] }), {
    params: {
      jiraTicketId: 'SHOP-1',
      reviewers: ['ann'],
      repoSlug: 'shop',
      gitProvider: 'local',
      trackerProvider: 'jira',
      description:
        'Add a note\n\n(Ticket SHOP-1 of jira, https://jira.test/browse/SHOP-1)\n\nrepo: shop',
    },
    noRepo: null,
  });
  const { params } = await filled({ jiraTicketId: 'SHOP-1', repoSlug: 'other', description: '' });
  assert.equal(params.repoSlug, 'other');
  assert.equal(params.gitProvider, undefined);
  assert.is(
    (await filled({ jiraTicketId: 'SHOP-1', description: 'Mine' })).params.description,
    'Mine',
  );
  assert.is(asked.length, 3);
});

test('a request that is complete, or names no ticket, asks no tracker', async () => {
  const { filled, asked } = world({});
  for (const params of [
    { jiraTicketId: 'SHOP-1', repoSlug: 'a', description: 'b' },
    { description: 'b' },
    { jiraTicketId: '' },
  ]) {
    assert.equal(await filled(params), { params, noRepo: null });
  }
  assert.equal(asked, []);
});

test('the tracker of a ticket: the one that is named, else the only one that could have it', async () => {
  const both = world({ jira: KEY, linear: KEY, 'github-issues': /#/ });
  await both.filled({ jiraTicketId: 'SHOP-1', trackerProvider: 'linear' });
  await both.filled({ jiraTicketId: 'acme/shop#1' });
  assert.equal(both.asked, ['linear SHOP-1', 'github-issues acme/shop#1']);
  const why = async (params: Record<string, unknown>) =>
    (await catchRefusal(() => both.filled(params))).errors[0]?.message;
  const configured =
    'name the tracker in params.trackerProvider. Configured: jira, linear, github-issues.';
  assert.is(
    await why({ jiraTicketId: 'SHOP-1' }),
    `SHOP-1 could be a ticket of several of them: ${configured}`,
  );
  assert.is(
    await why({ jiraTicketId: 'what' }),
    `what could be a ticket of none of them: ${configured}`,
  );
});

test('a text of any length becomes a description that fits, and says what is left out', async () => {
  const { filled } = world({ jira: KEY }, async () => ({ ...ISSUE, body: 'x'.repeat(20_000) }));
  const { params, noRepo } = await filled({ jiraTicketId: 'SHOP-1' });
  assert.ok(String(params.description).length < 16_200);
  assert.match(
    String(params.description),
    /x… \(the ticket has 4000 more characters\)$|\n… \(the ticket has 4000 more characters\)$/,
  );
  assert.match(noRepo ?? '', /^SHOP-1 of jira names no repository: it has no line/);
});

test('a tracker that does not answer is not waited for longer than a user waits; what it refuses is passed on', async () => {
  const slow = world({ jira: KEY }, () => new Promise(() => {}));
  const refusal = catchRefusal(() => slow.filled({ jiraTicketId: 'SHOP-1' }));
  slow.clock.advance(TICKET_MS);
  assert.equal((await refusal).code, 'unreachable');
  assert.equal((await refusal).message, 'The tracker jira did not answer within 20 s.');
  for (const [thrown, code] of [
    ['not-found', 'invalid'],
    ['rate-limited', 'rate-limited'],
    ['config-invalid', 'config-invalid'],
  ] as const) {
    const refusing = world({ jira: KEY }, () => Promise.reject(new SvcError(thrown, 'no')));
    assert.is((await catchRefusal(() => refusing.filled({ jiraTicketId: 'SHOP-1' }))).code, code);
  }
});

const PAGE = 'http://hub.test/issues/MT-1';

/** Jira, whose addresses any site could have, and a plugin that knows its own. */
function two(keyOf: (address: string) => Promise<string | null>) {
  const asked: string[] = [];
  const issue = (id: string) => async (key: string) => {
    asked.push(`${id} ${key}`);
    return { ...ISSUE, key: 'MT-1' };
  };
  const trackers = [
    { id: 'jira', serves: (ref: string) => ref.includes('/browse/'), issue: issue('jira') },
    { id: 'tick', serves: () => true, issue: issue('tick'), issueAt: keyOf },
  ] as Partial<JobTracker>[] as JobTracker[];
  const clock = new SimulatedClock();
  const deps = {
    clock,
    forges: createForges([]),
    sites: [],
    repositories: noMissingRepositories,
    trackers: createTrackers(() => trackers),
  };
  return {
    asked,
    clock,
    filled: (params: Record<string, unknown>) => fillParamsFromTicket(deps, params),
  };
}

test('the address of a ticket becomes key and tracker, also where the request is complete, so that its comments find the job', async () => {
  const { filled, asked } = two(async (address) => (address === PAGE ? 'MT-1' : null));
  const whole = { jiraTicketId: PAGE, repoSlug: 'a', description: 'b' };
  assert.equal((await filled(whole)).params, {
    ...whole,
    jiraTicketId: 'MT-1',
    trackerProvider: 'tick',
  });
  assert.equal(asked, []);
  await filled({ jiraTicketId: PAGE, repoSlug: 'a' });
  assert.equal(asked, ['tick MT-1']);
});

test('an address that a plugin denies is left to the others; one that all deny is refused, as is one that cannot be asked about', async () => {
  const { filled, asked } = two(async () => null);
  const at = 'https://jira.test/browse/MT-1';
  await filled({ jiraTicketId: at, repoSlug: 'a' });
  assert.equal(asked, [`jira ${at}`]);
  const nowhere = await catchRefusal(() => filled({ jiraTicketId: PAGE }));
  assert.equal(nowhere.errors, [
    { pointer: '/params/jiraTicketId', message: `${PAGE} is not the address of a ticket of tick.` },
  ]);
  const broken = two(() => Promise.reject(new SvcError('config-invalid', 'no token')));
  assert.is(await codeOfRefusal(() => broken.filled({ jiraTicketId: PAGE })), 'config-invalid');
});

test('a ticket that names a repository which no forge has is refused, whether the workflow needs one or not', async () => {
  const { filled } = world({ jira: KEY }, async () => ({ ...ISSUE, body: 'repo: nowhere' }));
  assert.equal((await catchRefusal(() => filled({ jiraTicketId: 'SHOP-1' }))).errors, [
    {
      pointer: '/params/repoSlug',
      message:
        'the ticket SHOP-1 of jira names no repository: its line "repo:" does not name a repository of a configured forge: "nowhere"',
    },
  ]);
});

test.run();
