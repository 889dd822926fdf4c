import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  WRITE_RULES,
  type WriteFacts,
  type WriteOperation,
  findWriteProblem,
} from '../../../../machines/job/rules/writeAccess.ts';
import { buildToolCatalogue } from '../../../../src/executors/tools/catalogue/buildToolCatalogue.ts';
import { createTrackerTools } from '../../../../src/executors/tools/forge/createTrackerTools.ts';

const test = suite('what an agent may write to');

const NOTHING: WriteFacts = {
  ownRepository: false,
  ownPullRequest: false,
  ownTicket: false,
  named: false,
  ofSubRun: false,
  openedBySvc: false,
  branchOwner: null,
  headIsTarget: false,
};
const place = { entry: 'github:acme/shop#7', head: 'change' };
const isAllowed = (operation: string, facts: Partial<WriteFacts>) =>
  findWriteProblem(operation, place, { ...NOTHING, ...facts }) === null;

const OPERATIONS = Object.keys(WRITE_RULES) as WriteOperation[];
const WHERE = ['ownRepository', 'ownPullRequest', 'ownTicket', 'named', 'ofSubRun'] as const;

/** Where each write is allowed; everywhere else it is refused. */
const ALLOWED: Readonly<Record<WriteOperation, readonly (typeof WHERE)[number][]>> = {
  create_repo: WHERE,
  create_pr: ['ownRepository'],
  post_pr_comment: WHERE,
  reply_to_comment: WHERE,
  approve_pr: ['named'],
  merge_pr: ['ownPullRequest'],
  post_comment: ['ownTicket', 'named'],
  transition_issue: ['ownTicket', 'named'],
};

for (const operation of OPERATIONS) {
  for (const where of WHERE) {
    const expected = ALLOWED[operation].includes(where);
    test(`${operation} is ${expected ? 'allowed' : 'refused'} where only ${where} holds`, () => {
      assert.is(isAllowed(operation, { [where]: true }), expected);
    });
  }
  test(`${operation} is refused where nothing holds, unless it touches nothing that exists`, () => {
    assert.is(isAllowed(operation, {}), operation === 'create_repo');
  });
}

test('an agent cannot approve what svc opened, even if it is named', () => {
  assert.match(
    findWriteProblem('approve_pr', place, { ...NOTHING, named: true, openedBySvc: true }) ?? '',
    /^svc opened github:acme\/shop#7, and an agent cannot approve what svc opened. A person can approve it/,
  );
});

test('a refusal names the key with which a person allows it', () => {
  const problem = findWriteProblem('post_pr_comment', place, NOTHING) ?? '';
  assert.match(
    problem,
    /"writesTo": \["github:acme\/shop#7"\] in the params of POST \/jobs, or writesTo in the front matter/,
  );
});

test("a new pull request goes neither onto another job's branch nor onto one that others are merged into", () => {
  const own = { ...NOTHING, ownRepository: true };
  const branchOwner = { prId: 'github:acme/shop#3', jobId: 'shop-job-2' };
  assert.is(
    findWriteProblem('create_pr', place, { ...own, branchOwner }),
    "github:acme/shop#3 of the branch change belongs to shop-job-2: use a branch of this job's own",
  );
  assert.match(
    findWriteProblem('create_pr', place, { ...own, headIsTarget: true }) ?? '',
    /merged into change/,
  );
});

test('an operation without a rule is refused', () => {
  assert.is(isAllowed('delete_repo', { ...NOTHING, ownRepository: true, named: true }), false);
  assert.is(isAllowed('toString', { ownRepository: true }), false);
});

test('every tool that writes to a forge or tracker has its rule', () => {
  const trackers = createTrackerTools(['jira', 'linear', 'github-issues']);
  const all = [
    ...buildToolCatalogue(['local', 'github', 'gitlab', 'bitbucket'], trackers).values(),
  ];
  const writing = all
    .filter(({ hints }) => hints.openWorldHint && !hints.readOnlyHint)
    .map(({ name }) => name);
  const families = all.filter(({ name }) =>
    /^(local|github|gitlab|bitbucket|scm|tracker|jira|linear|github_issues)_/.test(name),
  );
  const changing = families.filter(({ hints }) => !hints.readOnlyHint).map(({ name }) => name);
  // A clone writes to the job's folder only.
  assert.equal(
    changing.filter((name) => !writing.includes(name)),
    ['scm_clone_repo'],
  );
  const without = writing.filter(
    (name) => !OPERATIONS.some((operation) => name.endsWith(`_${operation}`)),
  );
  assert.equal(without, []);
  assert.is(writing.length, 5 + 3 * 6 + 1 + 4 * 2);
});

test.run();
