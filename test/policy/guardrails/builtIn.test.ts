import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILT_IN_RULES } from '../../../src/policy/guardrails/builtIn/builtInRules.ts';
import { evaluateRule } from '../../../src/policy/guardrails/evaluateRule.ts';
import type { Rule, Subject } from '../../../src/policy/guardrails/rule.ts';
import { SECRET_PATTERN_COUNT } from '../../../src/base/secrets/secretPatterns.ts';
import { opening, createSubject } from './subjects.ts';

const shell = (command: string): Subject => createSubject({ tool: 'Bash', args: { command } });
const createWriteSubject = (tool: string, part: Partial<Subject> = {}): Subject =>
  createSubject({ moment: 'write.before', tool, args: { number: 1 }, ...part });
const merging = (checks: string, refused: string | null): Subject =>
  createSubject({
    moment: 'merge.before',
    tool: 'merge_pr',
    refused,
    pr: {
      number: 1,
      repository: 'acme/shop',
      own: true,
      author: 'svc',
      draft: false,
      checks,
    },
  });
/** A call of an agent's own tool that changes a file. */
const editing = (path: string): Subject =>
  createSubject({
    tool: 'edit',
    args: { path },
    diff: { paths: [path], lines: 0, added: [], hash: path },
  });
/** Put together here, so that this file holds no token. */
const TOKEN = ['ghp', 'a1B2'.repeat(9)].join('_');

/** Of each rule: something that it stops, and something close to it that it must not stop. */
const TABLE: Readonly<Record<string, { stops: Subject; lets: Subject; change?: Partial<Rule> }>> = {
  'no-merge-unapproved': {
    stops: merging('green', 'no one has approved it'),
    lets: merging('green', null),
  },
  'no-merge-red-checks': {
    stops: merging('red', 'a required check has failed'),
    lets: merging('red', null),
  },
  'no-approve-own-pr': {
    stops: createWriteSubject('approve_pr', { refused: 'svc has opened it' }),
    lets: createWriteSubject('approve_pr'),
  },
  'only-known-repos': {
    stops: createWriteSubject('post_pr_comment', { refused: 'no one has named it' }),
    lets: createWriteSubject('post_pr_comment'),
  },
  'only-known-repos at the start of a job': {
    stops: createSubject({ moment: 'job.start', tool: '', refused: 'svc does not know it' }),
    lets: createSubject({ moment: 'job.start', tool: '' }),
  },
  'no-workflow-file-change by an edit': {
    stops: editing('.github/workflows/ci.yml'),
    lets: editing('docs/workflows/ci.yml'),
  },
  'protected-paths by an edit': {
    stops: editing('infra/prod/main.tf'),
    lets: editing('infra/test/main.tf'),
    change: { paths: ['infra/prod/**'] },
  },
  'no-secret-in-output in a command': {
    stops: { ...shell(`curl -H ${TOKEN} x`), tool: 'shell' },
    lets: { ...shell('curl -H $TOKEN x'), tool: 'shell' },
  },
  'no-force-push': {
    stops: shell('cd shop && git push --force-with-lease origin work'),
    lets: shell('git push origin work && rm -f build.log'),
  },
  'no-base-branch-push': {
    stops: shell('git push origin HEAD:refs/heads/main'),
    lets: shell('git push origin main-menu'),
  },
  'no-draft-flip': { stops: shell('gh pr ready 12'), lets: shell('gh pr view 12') },
  'no-secret-in-diff': {
    stops: opening(['a.ts'], { added: [{ path: 'a.ts', text: `const key = "${TOKEN}";` }] }),
    lets: opening(['a.ts'], {
      added: [{ path: 'a.ts', text: 'const key = "AKIAIOSFODNN7EXAMPLE"; // sk-' }],
    }),
  },
  'no-secret-in-diff by its history': {
    stops: opening(['a.ts'], {
      tokens: [{ kind: 'a token of GitHub', place: 'commit 1, file b' }],
    }),
    lets: opening(['a.ts'], { tokens: [] }),
  },
  'no-secret-in-output': {
    stops: createWriteSubject('post_pr_comment', { args: { body: `use ${TOKEN}` } }),
    lets: createWriteSubject('post_pr_comment', {
      args: { body: 'use $GITHUB_TOKEN, ghp_ and so on' },
    }),
  },
  'no-workflow-file-change': {
    stops: opening(['.github/workflows/ci.yml']),
    lets: opening(['docs/.github-workflows.md', 'src/workflows/ci.yml']),
  },
  'protected-paths': {
    stops: opening(['infra/prod/main.tf']),
    lets: opening(['infra/prod.md', 'src/infra.ts']),
    change: { paths: ['infra/prod/**'] },
  },
  'large-diff': { stops: opening(['a'], { lines: 2001 }), lets: opening(['a'], { lines: 2000 }) },
  'large-diff-bytes': {
    stops: opening(['a'], { lines: 1, bytes: 2 * 1024 * 1024 + 1 }),
    lets: opening(['a'], { lines: 1, bytes: 2 * 1024 * 1024 }),
  },
  'large-diff-files': {
    stops: opening(Array.from({ length: 501 }, (_, n) => `${n}`)),
    lets: opening(Array.from({ length: 500 }, (_, n) => `${n}`)),
  },
  'lock-file-only-with-manifest': {
    stops: opening(['web/package-lock.json', 'package.json']),
    lets: opening(['web/package-lock.json', 'web/package.json']),
  },
  'no-new-dependency': {
    stops: opening(['package.json'], {
      added: [{ path: 'package.json', text: '    "left-pad": "^1.3.0",' }],
    }),
    lets: opening(['package.json'], {
      added: [{ path: 'package.json', text: '    "test": "node --test",' }],
    }),
  },
  'max-prs': {
    stops: createWriteSubject('create_pr', { done: { openPrs: 20, commentsInHour: 0 } }),
    lets: createWriteSubject('create_pr', { done: { openPrs: 19, commentsInHour: 0 } }),
  },
  'max-comments-per-hour': {
    stops: createWriteSubject('reply_to_comment', { done: { openPrs: 0, commentsInHour: 10 } }),
    lets: createWriteSubject('reply_to_comment', { done: { openPrs: 0, commentsInHour: 9 } }),
  },
};

/** A line of the table is named by its rule, and what it is about where a rule has several. */
const getRuleName = (name: string): string => name.split(' ')[0] ?? '';

test('the table has every rule of svc (CFG-4)', () => {
  const ids = new Set(Object.keys(TABLE).map(getRuleName));
  assert.equal(BUILT_IN_RULES.map(({ id }) => id).sort(), [...ids].sort());
});

for (const [name, { stops, lets, change }] of Object.entries(TABLE)) {
  const rule = BUILT_IN_RULES.find(({ id }) => id === getRuleName(name));
  if (!rule) throw new Error(`there is no rule ${name}`);
  const changedRule = { ...rule, ...change };
  test(`${name} holds where it is meant to (CFG-4)`, () => {
    assert.is(evaluateRule(changedRule, stops)?.result, rule.do);
  });
  test(`${name} does not hold for what is close to it (CFG-4)`, () => {
    assert.is(evaluateRule(changedRule, lets), null);
  });
  test(`${name} says its name to the agent (CFG-4)`, () => {
    assert.match(evaluateRule(changedRule, stops)?.message ?? '', `guardrail ${rule.id}: `);
  });
  test(`${name} can be switched off (CFG-4)`, () => {
    assert.is(evaluateRule({ ...changedRule, enabled: false }, stops), null);
  });
}

test('tokens of 20 forms are known (CFG-4)', () => {
  assert.is(SECRET_PATTERN_COUNT, 20);
});

test('no rule of svc takes long on a long hostile text (CFG-4)', () => {
  const text = `${'git push '.repeat(20_000)}${'a'.repeat(100_000)}${'-'.repeat(50_000)}`;
  const subject = opening(['package.json'], { added: [{ path: 'package.json', text }] });
  const start = process.cpuUsage();
  for (const rule of BUILT_IN_RULES)
    for (const one of [subject, shell(text)]) evaluateRule(rule, one);
  assert.ok(process.cpuUsage(start).user < 2_000_000);
});

test.run();
