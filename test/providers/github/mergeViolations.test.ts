import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answeredClients } from '../../support/forges/answeredClients.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm github: what is against a merge, by cause');

const PREFIX = 'Repository rule violations found\n\n';
const by = { author: 'svc:job', at: 0, operationId: 'op' };

/** The refusal of a merge that GitHub answers with these words. */
async function refusedMerge(
  message: string,
  { settings = {}, state = 'blocked' }: { settings?: object; state?: string } = {},
) {
  const pr = {
    number: 1,
    title: 'T',
    html_url: 'https://host.test/acme/shop/pull/1',
    state: 'open',
    created_at: '2026-01-01T00:00:00Z',
    merged_at: null,
    mergeable_state: state,
    head: { ref: 'feature', sha: 'a'.repeat(40) },
    base: { ref: 'main', repo: { full_name: 'acme/shop' } },
    user: { login: 'svc' },
  };
  const { github, settled } = answeredClients(({ method, path }) => {
    if (path.endsWith('/user')) return { body: { login: 'svc' } };
    if (method === 'PUT') return { status: 405, body: { message } };
    return { body: path.endsWith('/pulls/1') ? pr : settings };
  });
  return catchRefusal(() =>
    settled(github.write('merge_pr', { repo: 'acme/shop', number: 1 }, by)),
  );
}

const WAITS = [
  'At least 1 approving review is required by reviewers with write access.',
  '4 of 4 required status checks are expected.',
  'Required status check "build" is failing.',
  'Waiting on code owner review from acme/core.',
  'New changes require approval from someone other than the last pusher.',
  'Code scanning is waiting for results from CodeQL for the commits abc or def.',
];
for (const rule of WAITS)
  test(`waiting helps: ${rule}`, async () => {
    const { code, message } = await refusedMerge(PREFIX + rule);
    assert.is(code, 'conflict');
    assert.match(message, /a review or a check that it requires is missing\. Wait for it/);
    assert.match(message, rule);
  });

const PERSONS = [
  'Commits must have verified signatures.',
  'Cannot update this protected ref.',
  'Commit message must match a given regex pattern: ^ABC-\\d+.',
  'File path is restricted: infra/main.tf.',
  'Changes must be made through a pull request.',
];
for (const rule of PERSONS)
  test(`a person is needed: ${rule}`, async () => {
    const { message } = await refusedMerge(PREFIX + rule);
    assert.match(message, /Waiting does not end that: ask a person/);
    assert.not.match(message, 'await_event');
    assert.match(message, rule.slice(0, 20));
  });

const METHODS = [
  `${PREFIX}This branch must not contain merge commits.`,
  'Merge commits are not allowed on this repository.',
];
for (const text of METHODS)
  test(`another method is needed, and the refused one is not offered: ${text}`, async () => {
    const { message, data } = await refusedMerge(text);
    assert.match(
      message,
      /does not allow the merge method merge, which svc used\. It allows: squash, rebase\./,
    );
    assert.match(message, 'mergeMethod to squash or rebase');
    assert.not.match(message, /to merge|await_event/);
    assert.is(data.reason, 'method');
  });

test('where no other method is left, a person changes the rule', async () => {
  const settings = { allow_squash_merge: false, allow_rebase_merge: false };
  const { message } = await refusedMerge(METHODS[0] ?? '', { settings });
  assert.match(message, /It allows no other one: a person must change the rule/);
});

test('of several rules, what waiting does not end comes first, and nothing is left out', async () => {
  const { message } = await refusedMerge(
    `${PREFIX}2 of 2 required status checks are expected.\nCommits must have verified signatures.`,
  );
  assert.match(message, /verified signatures, .*ask a person.*A review, a check .*is missing/);
});

test('a conversation that is open is answered', async () => {
  const text = 'A conversation must be resolved before this pull request can be merged.';
  assert.match((await refusedMerge(text)).message, /a conversation is not resolved\. Answer it/);
});

test('words that svc does not know are passed on, and no cause is made up', async () => {
  const { message } = await refusedMerge('The moon is full.', { state: 'clean' });
  assert.match(message, /cannot be merged: The moon is full\.$/);
});

test.run();
