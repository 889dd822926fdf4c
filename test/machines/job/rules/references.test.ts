import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isReferenceComment,
  toReference,
  listReferences,
} from '../../../../machines/job/rules/references.ts';

const test = suite('references of jobs');

for (const [text, name] of [
  ['SHOP-12', 'shop-12'],
  [' shop-12 ', 'shop-12'],
  ['https://acme.atlassian.net/browse/SHOP-12?focusedCommentId=3', 'shop-12'],
  ['https://linear.app/acme/issue/ENG-7/a-title-of-it#comment-1', 'eng-7'],
  ['acme/shop#3', 'acme/shop#3'],
  ['https://github.com/Acme/Shop/issues/3', 'acme/shop#3'],
  ['https://github.com/acme/shop/pull/3/files', 'acme/shop#3'],
  ['https://gitlab.com/group/sub/shop/-/issues/3', 'group/sub/shop#3'],
  ['https://gitlab.com/group/shop/-/work_items/3', 'group/shop#3'],
  ['https://gitlab.com/group/shop/-/merge_requests/3#note_1', 'group/shop!3'],
  ['https://bitbucket.org/acme/shop/pull-requests/3', 'acme/shop!3'],
  ['https://example.com/something', 'https://example.com/something'],
  ['', ''],
] as const) {
  test(`${JSON.stringify(text)} names ${JSON.stringify(name)} (EVT-4)`, () => {
    assert.is(toReference(text), name);
  });
}

test('jiraTicketId and trackerRef refer, each once; everything else in params does not', () => {
  assert.equal(
    listReferences({
      jiraTicketId: 'SHOP-1',
      trackerRef: 'https://x.net/browse/shop-1',
      description: 'SHOP-2',
    }),
    ['shop-1'],
  );
  assert.equal(listReferences({ jiraTicketId: 12, trackerRef: ' ' }), []);
});

test('comments concern the job that names the ticket; a merge of a foreign pull request never counts as one of its own', () => {
  const event = {
    kind: 'commented' as const,
    forge: 'jira',
    repo: 'SHOP',
    number: 1,
    prId: 'jira:SHOP-1',
    author: 'ann',
    text: 'hm',
    url: '',
    externalId: 'jira:SHOP-1:commented:1',
    happenedAt: 1,
  };
  assert.ok(isReferenceComment({ jiraTicketId: 'shop-1' }, event));
  assert.not(isReferenceComment({ jiraTicketId: 'shop-11' }, event));
  assert.not(isReferenceComment({}, { ...event, prId: 'jira:' }));
  assert.not(isReferenceComment({ jiraTicketId: 'shop-1' }, { ...event, kind: 'merged' }));
});

test('an endless address costs nothing', () => {
  const start = process.cpuUsage();
  toReference(`https://x.net/${'a/'.repeat(100_000)}issues/x`);
  assert.ok(process.cpuUsage(start).user < 500_000);
});

test.run();
