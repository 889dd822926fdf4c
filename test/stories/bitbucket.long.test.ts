import { createHmac } from 'node:crypto';
import { removeMark } from '../../src/git/marks.ts';
import { BitbucketStage, REPO } from '../support/forges/bitbucketStage.ts';
import { forgeStories } from '../support/forges/forgeStory.ts';

const TOKEN = 'ATATTcanarycanarycanarycanary';

forgeStories({
  id: 'bitbucket',
  title: 'Bitbucket',
  repo: REPO,
  token: TOKEN,
  reply: 'Fixed.',
  async open() {
    const stage = await BitbucketStage.open();
    const { state } = stage.bitbucket;
    state.addUser(TOKEN, 'svc-robot');
    const pr = () => state.pr(REPO, 1);
    return {
      config: { baseUrl: stage.bitbucket.url, username: 'svc-robot@acme.test' },
      comment: async (text) => void state.say(pr(), 'ann', text),
      approve: async () => state.review(pr(), 'ann', 'approved'),
      merge: async () => state.mergePr(stage.repo, pr(), 'ann', 'Merged'),
      comments: () => pr().comments.map(({ author, raw }) => [author, removeMark(raw)]),
      writes: () => ({
        opened: stage.bitbucket.writes(/^\/repositories\/acme\/shop\/pullrequests$/),
        merged: stage.bitbucket.writes(/merge$/),
      }),
      stop: () => stage.end(),
    };
  },
  webhooks(secret) {
    const comment = {
      id: 1,
      content: { raw: 'Please add a note.' },
      created_on: '2026-01-01',
      updated_on: '2026-01-01',
    };
    const body = JSON.stringify({
      repository: { full_name: REPO },
      pullrequest: { id: 1 },
      comment,
    });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = {
      'x-request-uuid': 'b5f3c7c0-0000-4000-8000-000000000001',
      'x-event-key': 'pullrequest:comment_created',
    };
    const signed = { ...headers, 'x-hub-signature': signature };
    return {
      genuine: { headers: signed, body },
      forged: [
        { headers, body },
        { headers: { ...headers, 'x-hub-signature-256': signature }, body },
        { headers: { ...headers, 'x-hub-signature': signature.replace('sha256', 'sha1') }, body },
        { headers: signed, body: body.replace('add', 'del') },
      ],
    };
  },
});
