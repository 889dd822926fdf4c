import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commentId } from '../../../src/providers/github/forge/describe.ts';
import { readGithubEvent } from '../../../src/providers/github/hooks/readGithubEvent.ts';
import { readGithubSubject } from '../../../src/providers/github/plugin.ts';
import { githubExamples, collectLeaves } from '../../support/forges/webhookExamples.ts';

const test = suite('webhooks: what GitHub has sent');

/** Events that name pull requests and tell nothing of them that another event does not tell. */
const TOLD_BY_OTHERS: Readonly<Record<string, string>> = {
  workflow_run: 'its jobs are check runs',
  workflow_job: 'it is a check run',
  deployment: 'of a commit; names pull requests in addresses alone',
  deployment_status: 'as above',
  deployment_review: 'asks people of the repository',
  branch_protection_rule: 'a rule about future ones',
  installation: 'rights of an app',
  installation_repositories: 'rights of an app',
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const of = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((here, key) => (isRecord(here) ? here[key] : undefined), value);

const concernsPr = ({ name, payload }: { name: string; payload: Record<string, unknown> }) =>
  ['pull_request', 'check_run', 'check_suite', 'status'].some((one) => name.startsWith(one)) ||
  (name === 'issue_comment' && of(payload, 'issue', 'pull_request') !== undefined);

const EXAMPLES = githubExamples();
const ABOUT_PRS = EXAMPLES.filter(concernsPr);

test('every payload about pull requests becomes an event, and all that the event says comes from the payload (EVT-4)', () => {
  const counts: Record<string, number> = {};
  for (const { name, payload } of ABOUT_PRS) {
    const event = readGithubEvent(payload);
    const where = `${name}.${payload.action}`;
    assert.ok(event, where);
    const leaves = collectLeaves(payload);
    const {
      repo,
      number,
      ref,
      author,
      title,
      url,
      labels,
      newLabels,
      text,
      happenedAt,
      identities,
    } = event;
    for (const value of [repo, author, title, url, ...labels, ...newLabels, ...identities]) {
      assert.ok(value === '' || leaves.has(value), `${where}: ${value}`);
    }
    assert.is(repo, of(payload, 'repository', 'full_name'), where);
    assert.ok(author !== '' && happenedAt !== null && Number.isFinite(happenedAt), where);
    assert.ok(
      [...leaves].some((leaf) => typeof leaf === 'string' && Date.parse(leaf) === happenedAt),
      where,
    );
    assert.is(ref, number === null ? null : `${repo}#${number}`, where);
    assert.ok(number === null || leaves.has(number), where);
    const own = text
      .split('\n')
      .slice(event.event.startsWith('pull_request.review_thread') ? 1 : 0)
      .join('\n');
    assert.ok(
      text === '' || event.kind === 'check_failed' || leaves.has(text) || leaves.has(own),
      `${where}: ${text}`,
    );
    counts[event.event] = (counts[event.event] ?? 0) + 1;
  }
  assert.is(
    ABOUT_PRS.length,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
  assert.ok(ABOUT_PRS.length >= 60, String(ABOUT_PRS.length));
  for (const name of [
    'pull_request.opened',
    'pull_request.labeled',
    'pull_request.closed',
    'pull_request.review_thread',
    'check.passed',
  ]) {
    assert.ok(counts[name], `${name} of ${Object.keys(counts).join(', ')}`);
  }
});

test('where the forge would have news of it, the payload says the same: kind, number, author, text, link, id and time', () => {
  const counts: Record<string, number> = {};
  for (const { name, payload } of ABOUT_PRS) {
    const event = readGithubEvent(payload);
    if (!event?.kind) continue;
    const expected =
      name === 'pull_request_review'
        ? {
            part: 'review',
            id: commentId.review(Number(of(payload, 'review', 'id'))),
            at: 'submitted_at',
            who: 'user',
          }
        : name === 'pull_request_review_comment'
          ? {
              part: 'comment',
              id: commentId.thread(Number(of(payload, 'comment', 'id'))),
              at: 'created_at',
              who: 'user',
            }
          : name === 'issue_comment'
            ? {
                part: 'comment',
                id: commentId.issue(Number(of(payload, 'comment', 'id'))),
                at: 'created_at',
                who: 'user',
              }
            : null;
    counts[event.kind] = (counts[event.kind] ?? 0) + 1;
    if (!expected) continue;
    const part = of(payload, expected.part);
    assert.equal(event.id, expected.id, name);
    assert.equal(event.author, of(part, expected.who, 'login'), name);
    assert.equal(event.url, of(part, 'html_url'), name);
    assert.equal(event.happenedAt, Date.parse(String(of(part, expected.at))), name);
    assert.ok(event.text.endsWith(String(of(part, 'body') ?? '')), name);
    assert.is(
      event.number,
      of(payload, 'pull_request', 'number') ?? of(payload, 'issue', 'number'),
      name,
    );
  }
  assert.equal(
    Object.keys(counts).sort(),
    ['check_failed', 'closed', 'commented', 'merged', 'review_thread']
      .filter((kind) => kind in counts)
      .sort(),
  );
  assert.ok(
    (counts.review_thread ?? 0) >= 1 && (counts.closed ?? 0) + (counts.merged ?? 0) >= 1,
    JSON.stringify(counts),
  );
});

test('every other payload that names a pull request is left out for a reason', () => {
  for (const { name, payload } of EXAMPLES.filter((one) => !concernsPr(one))) {
    const names =
      collectLeaves(Object.keys(payload)).has('pull_request') ||
      JSON.stringify(payload).includes('"pull_requests":[{');
    if (!names || ['issues', 'issue_comment'].includes(name)) continue;
    assert.ok(name in TOLD_BY_OTHERS, name);
  }
});

test('the pull request that an event names is the one that is polled', () => {
  for (const { name, payload } of ABOUT_PRS) {
    const subject = readGithubSubject(payload);
    const number = readGithubEvent(payload)?.number ?? null;
    if (number !== null) assert.ok(subject?.numbers?.includes(number), name);
    else assert.is(subject === null || subject.numbers === null, true, name);
  }
});

test('issues and their comments become events of a ticket', () => {
  let count = 0;
  for (const { name, payload } of EXAMPLES.filter(
    ({ name }) => name === 'issues' || name === 'issue_comment',
  )) {
    if (of(payload, 'issue', 'pull_request') !== undefined) continue;
    const event = readGithubEvent(payload);
    assert.is(
      event?.ref,
      `${of(payload, 'repository', 'full_name')}#${of(payload, 'issue', 'number')}`,
    );
    const action = String(payload.action);
    const commented = action === 'created' ? 'commented' : `comment_${action}`;
    assert.is(event?.event, `issue.${name === 'issues' ? action : commented}`);
    assert.equal(event?.kind, event?.event === 'issue.commented' ? 'commented' : null);
    if (action === 'labeled') assert.equal(event?.newLabels, [of(payload, 'label', 'name')]);
    count += 1;
  }
  assert.ok(count >= 30, String(count));
});

test.run();
