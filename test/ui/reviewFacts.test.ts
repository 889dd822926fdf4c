import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReviewFacts, measureDiff } from '../../ui/inbox/reviewFacts.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: size and checks of a pull request');

const DIFF = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
--- two and a half
+++ two again
 three
diff --git a/b.bin b/b.bin
new file mode 100644
Binary files /dev/null and b/b.bin differ
diff --git a/c.txt b/c.txt
--- /dev/null
+++ b/c.txt
@@ -0,0 +1 @@
+only
\\ No newline at end of file
`;

test('files and lines of a diff are counted, also lines that look like its headings', () => {
  assert.equal(measureDiff(DIFF), { files: 3, added: 2, removed: 2 });
  assert.equal(measureDiff(''), { files: 0, added: 0, removed: 0 });
});

const review = (id: string, ...prIds: string[]) =>
  summary(id, {
    needs: { group: 'review', ask: 'review', since: '2026-01-01T00:00:00.000Z', prIds },
  });

test('a row that comes into view is read once; a code host behind a network is not asked', async () => {
  const asked: string[] = [];
  const facts = createReviewFacts({
    async jobPullRequest(_id: string, prId: string) {
      asked.push(prId);
      return { checksState: { state: 'green' as const, reason: '' } };
    },
    jobPullRequestDiff: async () => ({ head: 'a', text: DIFF }),
  });
  const [local, remote] = [review('a', 'local:shop#1'), review('b', 'github:acme/shop#2')];
  for (const job of [local, local, remote]) facts.look(job);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked, ['local:shop#1']);
  assert.equal(facts.known(local), {
    files: 3,
    added: 2,
    removed: 2,
    checks: 'checks passed',
    tone: 'good',
  });
  assert.is(facts.known(remote), null);
});

test.run();
