import { createHmac } from 'node:crypto';
import { removeMark } from '../../src/git/marks.ts';
import { forgeStories } from '../support/forges/forgeStory.ts';
import { GitlabStage, REPO } from '../support/forges/gitlabStage.ts';

const TOKEN = 'glpat-canarycanarycanary';

forgeStories({
  id: 'gitlab',
  title: 'GitLab',
  repo: REPO,
  token: TOKEN,
  reply: 'Fixed.',
  async open() {
    const stage = await GitlabStage.open();
    const { server } = stage;
    server.state.addUser(TOKEN, 'svc-robot');
    // As at a real server: what was written is seen a moment later, and whether it can be merged
    // takes a while to find out.
    server.state.lagMs = 100;
    server.state.checkMs = 400;
    return {
      config: { baseUrl: server.url },
      comment: async (body) =>
        void (await stage.asAnn('POST', '/merge_requests/1/notes', { body })),
      approve: async () => void (await stage.asAnn('POST', '/merge_requests/1/approve')),
      async merge() {
        // As the page does: the button comes when GitLab knows that it can be merged.
        const look = async () =>
          Object(await stage.asAnn('GET', '/merge_requests/1')).detailed_merge_status;
        while ((await look()) !== 'mergeable')
          await new Promise((resolve) => setTimeout(resolve, 50));
        await stage.asAnn('PUT', '/merge_requests/1/merge', {});
      },
      comments: () =>
        server.state
          .mr(REPO, 1)
          .discussions.flatMap(({ notes }) => notes)
          .filter(({ system }) => !system)
          .map(({ author, body }) => [author, removeMark(body)]),
      writes: () => ({
        opened: server.writes(/\/merge_requests$/),
        merged: server.writes(/\/merge$/),
      }),
      stop: () => stage.end(),
    };
  },
  webhooks(secret) {
    const body = JSON.stringify({
      object_kind: 'note',
      project: { path_with_namespace: REPO },
      user: { username: 'ann' },
      object_attributes: { id: 1, note: 'Please add a note.' },
      merge_request: { iid: 1 },
    });
    const headers = { 'idempotency-key': 'delivery-1', 'x-gitlab-event': 'Note Hook' };
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    return {
      genuine: { headers: { ...headers, 'x-gitlab-token': secret }, body },
      forged: [
        { headers, body },
        { headers: { ...headers, 'x-gitlab-token': `${secret}x` }, body },
        { headers: { ...headers, 'x-gitlab-token': '' }, body },
        { headers: { ...headers, 'webhook-signature': `v1,${signature}` }, body },
      ],
    };
  },
});
