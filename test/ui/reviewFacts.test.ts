import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReviewFacts } from '../../ui/inbox/reviewFacts.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: size and checks of a pull request in its row');

const DIFF = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 one
-two
+two again
`;

const review = (id: string, ...prIds: string[]) =>
  summary(id, {
    needs: { group: 'review', ask: 'review', since: '2026-01-01T00:00:00.000Z', prIds },
  });

test('a row that comes into view is read once; a forge behind a network is not asked', async () => {
  const prIds: string[] = [];
  const facts = createReviewFacts({
    async jobPullRequest(_id: string, prId: string) {
      prIds.push(prId);
      return { checksState: { state: 'green' as const, reason: '' } };
    },
    jobPullRequestDiff: async () => ({ head: 'a', text: DIFF }),
  });
  const [local, remote] = [review('a', 'local:shop#1'), review('b', 'github:acme/shop#2')];
  await Promise.all([local, local, remote].map((job) => facts.look(job)));
  assert.equal(prIds, ['local:shop#1']);
  assert.equal(facts.known(local), {
    size: { files: 1, added: 1, removed: 1 },
    checks: 'checks passed',
    tone: 'good',
  });
  assert.is(facts.known(remote), null);
});

test('one that cannot be read keeps no other one from being read, and is tried again', async () => {
  let broken = true;
  const facts = createReviewFacts({
    async jobPullRequest(id: string) {
      if (broken && id === 'a') throw new Error('gone');
      return { checksState: { state: 'none' as const, reason: '' } };
    },
    jobPullRequestDiff: async () => ({ head: 'a', text: DIFF }),
  });
  const [one, other] = [review('a', 'local:shop#1'), review('b', 'local:shop#2')];
  await Promise.all([facts.look(one), facts.look(other)]);
  assert.is(facts.known(one), null);
  assert.is(facts.known(other)?.checks, 'no checks');
  broken = false;
  await facts.look(one);
  assert.is(facts.known(one)?.checks, 'no checks');
});

test.run();
