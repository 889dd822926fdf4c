import { createHmac } from 'node:crypto';
import { removeMark } from '../../src/git/marks.ts';
import { newApp, newPrivateKey } from '../support/forges/fakeGithub/apps.ts';
import { forgeStories } from '../support/forges/forgeStory.ts';
import { GithubStage, REPO } from '../support/forges/githubStage.ts';

/** As an app: its tokens, which the fake makes, hold the word canary. */
const PEM = newPrivateKey();
const TOKEN = '';

forgeStories({
  id: 'github',
  title: 'GitHub, as an app',
  repo: REPO,
  token: TOKEN,
  account: 'svc-app[bot]',
  reply: '> ann: Please add a note.\n\nFixed.',
  async open() {
    const stage = await GithubStage.open();
    const { github } = stage;
    const app = newApp(PEM);
    github.state.apps.push(app);
    const { id: appId, installationId } = app;
    const asAnn = async (method: string, path: string, body: object) =>
      void (await stage.as('ann-token', method, `/repos/${REPO}${path}`, body));
    return {
      config: { baseUrl: github.url, appId, installationId, privateKey: PEM },
      comment: (body) => asAnn('POST', '/issues/1/comments', { body }),
      approve: () => asAnn('POST', '/pulls/1/reviews', { event: 'APPROVE' }),
      merge: () => asAnn('PUT', '/pulls/1/merge', {}),
      comments: () =>
        github.state.pr(REPO, 1).comments.map(({ author, body }) => [author, removeMark(body)]),
      writes: () => ({
        opened: github.writes(/^\/repos\/acme\/shop\/pulls$/),
        merged: github.writes(/merge$/),
      }),
      stop: () => stage.end(),
    };
  },
  webhooks(secret) {
    const body = JSON.stringify({
      action: 'created',
      repository: { full_name: REPO },
      issue: { number: 1, pull_request: {} },
    });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'x-github-delivery': 'delivery-1', 'x-github-event': 'issue_comment' };
    const signed = { ...headers, 'x-hub-signature-256': signature };
    return {
      genuine: { headers: signed, body },
      forged: [
        { headers, body },
        {
          headers: { ...headers, 'x-hub-signature-256': signature.replace('sha256', 'sha512') },
          body,
        },
        { headers: signed, body: body.replace('created', 'deleted') },
        { headers: signed, body: body.slice(1) },
      ],
    };
  },
});
