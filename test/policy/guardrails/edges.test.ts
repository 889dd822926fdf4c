import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILT_IN_RULES } from '../../../src/policy/guardrails/builtIn/builtInRules.ts';
import { evaluateRule } from '../../../src/policy/guardrails/evaluateRule.ts';
import type { Subject } from '../../../src/policy/guardrails/rule.ts';
import { opening, createSubject } from './subjects.ts';

/** The rules of svc that something does not pass. */
const stopping = (subject: Subject): string[] =>
  BUILT_IN_RULES.filter((rule) => evaluateRule(rule, subject) !== null).map(({ id }) => id);
const shell = (args: Record<string, unknown>) => createSubject({ tool: 'bash', args });
const merging = (checks: string) =>
  createSubject({
    moment: 'merge.before',
    tool: 'merge_pr',
    refused: 'not yet',
    pr: { number: 1, repository: 'a/b', own: true, author: 'svc', draft: false, checks },
  });

for (const path of [
  '.github/workflows/a.yml',
  '.github/actions/x/action.yml',
  '.github/CODEOWNERS',
  '.gitlab-ci.yml',
  '.gitlab/ci/a.yml',
  'bitbucket-pipelines.yml',
  'azure-pipelines.yml',
  '.circleci/config.yml',
  '.buildkite/pipeline.yml',
  'Jenkinsfile',
  '.husky/pre-commit',
  '.githooks/pre-push',
  '.pre-commit-config.yaml',
  '.gitmodules',
  '.svc/workflows/job.md',
  '.claude/settings.local.json',
  'web/Jenkinsfile',
  '.GitHub/Workflows/a.yml',
])
  test(`${path} decides what runs elsewhere (CFG-4)`, () => {
    assert.equal(stopping(opening([path])), ['no-workflow-file-change']);
  });

test('svc protects no paths by itself (CFG-4)', () => {
  assert.equal(stopping(opening(['infra/main.tf', 'src/a.ts'])), []);
});

for (const [manifest, lock] of [
  ['package.json', 'pnpm-lock.yaml'],
  ['Cargo.toml', 'Cargo.lock'],
  ['go.mod', 'go.sum'],
  ['pyproject.toml', 'uv.lock'],
  ['Pipfile', 'Pipfile.lock'],
  ['Gemfile', 'Gemfile.lock'],
  ['composer.json', 'composer.lock'],
] as const) {
  test(`${lock} alone is noted (CFG-4)`, () => {
    assert.equal(stopping(opening([`a/${lock}`])), ['lock-file-only-with-manifest']);
  });
  test(`${lock} with ${manifest} is not (CFG-4)`, () => {
    assert.equal(stopping(opening([`a/${lock}`, `a/${manifest}`])), []);
  });
}

for (const [path, line] of [
  ['package.json', '  "@acme/x": "workspace:*",'],
  ['Cargo.toml', 'serde = "1.0"'],
  ['go.mod', '\tgithub.com/acme/x v1.2.3'],
  ['pyproject.toml', '  "requests>=2",'],
  ['requirements.txt', 'requests==2.0'],
  ['Gemfile', "  gem 'rails'"],
] as const)
  test(`a new line of ${path} that names a package is noted (CFG-4)`, () => {
    const subject = opening([path], { added: [{ path, text: line }] });
    assert.equal(stopping(subject), ['no-new-dependency']);
  });

const COMMANDS: readonly [command: string, stops: readonly string[]][] = [
  ['git push origin +work', ['no-force-push']],
  ['git push --mirror backup', ['no-force-push']],
  ['git push -uf origin work', ['no-force-push']],
  ['git push "--force" origin work', ['no-force-push']],
  ['git -C shop push --force', ['no-force-push']],
  ['/usr/bin/git push --force', ['no-force-push']],
  ['make && git push origin master', ['no-base-branch-push']],
  ['make | git push origin trunk', ['no-base-branch-push']],
  ['(git push origin develop)', ['no-base-branch-push']],
  ['git push -f origin HEAD:main', ['no-force-push', 'no-base-branch-push']],
  ['glab pr ready 3', ['no-draft-flip']],
  ['git pull --force', []],
  ['git push origin work; rm -f x', []],
  ['echo main; git push origin work', []],
];

for (const [command, stops] of COMMANDS)
  test(`${command} is stopped by ${stops.join(', ') || 'no rule'} (CFG-4)`, () => {
    assert.equal(stopping(shell({ command })), stops);
  });

for (const name of ['cmd', 'script', 'title'])
  test(`a command that a program calls ${name} is seen (CFG-4)`, () => {
    assert.equal(stopping(shell({ [name]: 'git push --force' })), ['no-force-push']);
  });

test('a command in parts is seen (CFG-4)', () => {
  assert.equal(stopping(shell({ command: ['git', 'push', '--force'] })), ['no-force-push']);
});

test('a merge that is refused while checks run is one of checks alone (CFG-4)', () => {
  assert.equal(stopping(merging('pending')), ['no-merge-red-checks']);
});

test('a merge that is refused with green checks is one of approvals alone (CFG-4)', () => {
  assert.equal(stopping(merging('green')), ['no-merge-unapproved']);
});

const createRefusedSubject = (tool: string) =>
  createSubject({ moment: 'write.before', tool, args: { number: 1 }, refused: 'no' });

test('an approval that svc refuses is one of approvals alone (CFG-4)', () => {
  assert.equal(stopping(createRefusedSubject('approve_pr')), ['no-approve-own-pr']);
});

test('another write that svc refuses is one of known repositories alone (CFG-4)', () => {
  assert.equal(stopping(createRefusedSubject('post_pr_comment')), ['only-known-repos']);
});

test('an update of a pull request is not one more (CFG-4)', () => {
  const pr = { number: 1, repository: 'a/b', own: true, author: '', draft: false, checks: '' };
  const done = { openPrs: 20, commentsInHour: 0 };
  assert.equal(stopping({ ...opening(['a']), pr, done }), []);
});

test('a token deep within the arguments is seen (CFG-4)', () => {
  const body = ['npm', 'a1B2'.repeat(9)].join('_');
  assert.equal(stopping(createSubject({ args: { a: [{ body }] } })), ['no-secret-in-output']);
});

test.run();
