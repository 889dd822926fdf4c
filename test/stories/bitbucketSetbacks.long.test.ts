import { BitbucketStage, REPO, TOKEN } from '../support/forges/bitbucketStage.ts';
import { forgeSetbackStories } from '../support/forges/forgeSetbacks.ts';

const MESSAGES: Readonly<Record<number, string>> = {
  401: 'Token is invalid, expired, or not supported for this endpoint.',
  403: 'Your credentials lack one or more required privilege scopes.',
  404: 'Repository acme/shop not found',
};

forgeSetbackStories({
  id: 'bitbucket',
  title: 'Bitbucket',
  repo: REPO,
  token: TOKEN,
  creates: /\/pullrequests$/,
  refuse: (status) => ({
    status,
    body: { type: 'error', error: { message: MESSAGES[status] ?? 'Service Unavailable' } },
  }),
  async open() {
    const stage = await BitbucketStage.open();
    const { bitbucket, repo } = stage;
    const { state } = bitbucket;
    const pr = (number: number) => state.pr(REPO, number);
    return {
      config: { baseUrl: bitbucket.url, username: 'svc-robot@acme.test' },
      server: bitbucket,
      comment: async (number, text) => void state.say(pr(number), 'ann', text),
      close: () => state.declinePr(pr(1), 'ann'),
      remove: () => void state.repos.splice(state.repos.indexOf(repo), 1),
      restore: () => void state.repos.push(repo),
      // Bitbucket redirects no renamed repository: it is gone under its old name.
      rename: null,
      merge: async () => state.mergePr(repo, pr(2), 'ann', 'Merged'),
      stop: () => stage.end(),
    };
  },
});
