import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBitbucketEvent } from '../../src/providers/bitbucket/hooks.ts';
import { readGitlabEvent } from '../../src/providers/gitlab/hooks.ts';
import { mayWake, parseWakeRules } from '../../src/providers/rest/wakeRules.ts';
import { toCommentEvent } from '../../src/providers/hooks/event.ts';
import type { DeliveredEvent } from '../../src/contract/forge/deliveredEvent.ts';
import type { RemoteForge } from '../../src/contract/forge/remoteForge.ts';
import { accountJson } from '../support/forges/fakeBitbucket/json.ts';
import { GUEST } from '../support/forges/fakeGitlab/state.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../support/forges/bitbucketStage.ts';
import { GitlabStage, REPO as GITLAB_REPO } from '../support/forges/gitlabStage.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';

const test = suite('comments on issues of GitLab and Bitbucket wake by default');

/** Whether a job that follows the issue is woken, with the default of `wakeAuthors`. */
async function wakes(forge: RemoteForge, event: DeliveredEvent | null): Promise<boolean> {
  const commentEvent = event && toCommentEvent(forge.id, event, 0);
  if (!event || !commentEvent) return false;
  const member = (await forge.isMember?.(event.repo, event.identities)) === true;
  const { bot, identities } = event;
  return mayWake(
    { event: commentEvent, own: false, bot, member, identities },
    parseWakeRules('', ''),
  );
}

async function atGitlab(run: (stage: GitlabStage, clock: SimulatedClock) => Promise<void>) {
  const clock = new SimulatedClock();
  const stage = await GitlabStage.open(clock);
  await run(stage, clock).finally(() => stage.end());
}

/** A note on an issue, as GitLab's documentation shows one: it does not say who is a member. */
const note = (login: string) =>
  readGitlabEvent({
    object_kind: 'note',
    user: { id: 1, name: login, username: login },
    project: { path_with_namespace: GITLAB_REPO },
    object_attributes: {
      id: 1241,
      note: 'Hello world',
      noteable_type: 'Issue',
      action: 'create',
      created_at: '2026-05-17 17:06:40 UTC',
    },
    issue: { id: 92, iid: 17, title: 'test' },
  });

test('a developer of the GitLab project wakes, a guest, an outsider and a bot do not (EVT-2)', () =>
  atGitlab(async (stage) => {
    const { state } = stage.server;
    state.addUser('guest-token', 'guest');
    state.addUser('outsider-token', 'outsider');
    state.addUser('service-token', 'service', { bot: true });
    stage.project.members.set('guest', GUEST);
    stage.project.members.set('service', 30);
    const woken = [];
    for (const login of ['ann', 'Ann', 'guest', 'outsider', 'service', 'gone', 'project_7_bot_1'])
      if (await wakes(stage.forge, note(login))) woken.push(login);
    assert.equal(woken, ['ann', 'Ann']);
  }));

test('GitLab is asked about an account once in ten minutes', () =>
  atGitlab(async (stage, clock) => {
    const countMemberRequests = () =>
      stage.server.seen.filter(({ path }) => path.includes('/members/all/')).length;
    for (let n = 0; n < 5; n += 1) await wakes(stage.forge, note('ann'));
    assert.is(countMemberRequests(), 1);
    clock.advance(10 * 60_000);
    stage.project.members.delete('ann');
    assert.is(await wakes(stage.forge, note('ann')), false);
    assert.is(countMemberRequests(), 2);
  }));

test('a member of the Bitbucket workspace wakes by account id or UUID, an outsider does not (EVT-2)', async () => {
  const stage = await BitbucketStage.open();
  const { state } = stage.bitbucket;
  state.addUser('outsider-token', 'outsider');
  const comment = (login: string, only: 'uuid' | 'account_id') => {
    const account = Object(accountJson(state, login));
    return readBitbucketEvent(
      {
        repository: { full_name: BITBUCKET_REPO },
        actor: { type: 'user', nickname: login, [only]: account[only] },
        issue: { id: 3, title: 'An issue', links: { html: { href: 'https://b.test/3' } } },
        comment: {
          id: 17,
          content: { raw: 'Hello' },
          created_on: '2026-01-01T00:00:00.039178+00:00',
          updated_on: '2026-01-01T00:00:00.055384+00:00',
        },
      },
      'issue:comment_created',
    );
  };
  const woken = [
    await wakes(stage.forge, comment('ann', 'uuid')),
    await wakes(stage.forge, comment('ann', 'account_id')),
    await wakes(stage.forge, comment('outsider', 'uuid')),
  ];
  await stage.end();
  assert.equal(woken, [true, true, false]);
});

test.run();
