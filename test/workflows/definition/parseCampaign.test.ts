import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCampaign } from '../../../src/workflows/definition/parseCampaign.ts';

const test = suite('workflows parseCampaign');

const writeCampaign = (subRuns: string, head = 'repo: shop\n', body = 'Split the shop.\n') =>
  `---\n${head}sub-runs:\n${subRuns}---\n${body}`;

/** Findings as `line:column code message hint`. */
const formatFindings = (text: string): string[] => {
  const { job, diagnostics } = parseCampaign(text, 'c.md');
  assert.is(job, null);
  return diagnostics.map(
    ({ line, column, code, message, hint }) => `${line}:${column} ${code} ${message} ${hint}`,
  );
};

test('a whole file becomes the body of POST /jobs (CLI-3)', () => {
  const text = `---
title: Split the shop
repo: shop
workflow: workflows/big.md
maxParallelSubRuns: 2
failurePolicy: continue
params: { reviewers: [ana], autoApprove: [planning] }
sub-runs:
  - name: api
    description: The api
    trackerRef: SHOP-7
  - name: web
    dependsOn: [api]
    params: { lane: ui }
---

Each part in its own package.
`;
  assert.equal(parseCampaign(text, 'c.md'), {
    job: {
      type: 'campaign',
      workflowPath: 'workflows/big.md',
      params: {
        reviewers: ['ana'],
        autoApprove: ['planning'],
        repoSlug: 'shop',
        description: 'Split the shop\n\nEach part in its own package.',
      },
      subRuns: [
        { name: 'api', description: 'The api', trackerRef: 'SHOP-7' },
        { name: 'web', description: 'web', dependsOn: ['api'], params: { lane: 'ui' } },
      ],
      coordinator: { maxParallelSubRuns: 2, failurePolicy: 'continue' },
    },
    diagnostics: [],
  });
});

test('repo, one sub-run and a text are enough: the workflow is workflows/campaign.md, and it says the rest (CLI-3)', () => {
  assert.equal(parseCampaign(writeCampaign('  - name: api\n'), 'c.md').job, {
    type: 'campaign',
    workflowPath: 'workflows/campaign.md',
    params: { repoSlug: 'shop', description: 'Split the shop.' },
    subRuns: [{ name: 'api', description: 'api' }],
  });
});

const CASES: [what: string, text: string, found: string[]][] = [
  [
    'keys that nothing reads, and what is missing',
    writeCampaign('  - title: api\n', 'repoSlug: shop\n'),
    [
      '2:1 unknown-key Unknown key repoSlug. Did you mean repo?',
      '2:1 missing-key repo is missing. Add repo: the slug of the repository.',
      '4:5 unknown-key Unknown key sub-runs[0].title. Known: name, description, dependsOn, params, trackerRef.',
      '4:5 missing-key sub-runs[0].name is missing. Add name: lowercase alphanumeric characters, dots, hyphens and underscores, at most 64.',
    ],
  ],
  [
    'a value of the wrong type',
    writeCampaign(
      '  - name: My Api\n    dependsOn: web\n  - 7\n',
      'repo: shop\nmaxParallelSubRuns: 0\n',
    ),
    [
      '3:21 wrong-type maxParallelSubRuns must be a whole number from 1 to 64, but is the number 0. Write a whole number from 1 to 64.',
      '5:11 wrong-type sub-runs[0].name must be lowercase alphanumeric characters, dots, hyphens and underscores, at most 64, but is the text "My Api". Write lowercase alphanumeric characters, dots, hyphens and underscores, at most 64.',
      '6:16 wrong-type sub-runs[0].dependsOn must be a list of at most 100 names, each once, but is the text "web". Write a list of at most 100 names, each once.',
      '7:5 wrong-type sub-runs[1] must be a map, but is the number 7. Its keys: name, description, dependsOn, params, trackerRef.',
    ],
  ],
  [
    'a name that nothing has, and one that stands twice',
    writeCampaign('  - name: api\n  - name: web\n    dependsOn: [apu]\n  - name: api\n'),
    [
      '6:17 unknown-sub-run web waits for "apu", which does not exist. Did you mean api?',
      '7:11 duplicate-sub-run The sub-run name api is already used above. Give each sub-run a unique name.',
    ],
  ],
  [
    'a cycle, named from end to end',
    writeCampaign(
      '  - { name: a }\n  - { name: b, dependsOn: [a, d] }\n  - { name: c, dependsOn: [b] }\n  - { name: d, dependsOn: [c] }\n',
    ),
    [
      '5:31 circle-of-sub-runs These sub-runs wait for each other: b -> d -> c -> b. Remove one of these names from dependsOn.',
    ],
  ],
  [
    'one that waits for itself',
    writeCampaign('  - { name: a, dependsOn: [a] }\n'),
    [
      '4:28 circle-of-sub-runs These sub-runs wait for each other: a -> a. Remove one of these names from dependsOn.',
    ],
  ],
  [
    'a campaign without a word',
    writeCampaign('  - name: api\n', 'repo: shop\n', ''),
    [
      '6:1 campaign-without-text The campaign does not say what it is for. Write it below the front matter, or add title.',
    ],
  ],
  [
    'no front matter',
    'Split the shop.\n',
    [
      '1:1 empty-front-matter The file declares no campaign. Begin it with front matter: --- , repo, sub-runs, ---.',
    ],
  ],
];
for (const [what, text, expected] of CASES)
  test(`${what}: every mistake at once, with line and column (CLI-3)`, () =>
    assert.equal(formatFindings(text), expected));

test('code in front matter is refused and not run', () => {
  const [first] = formatFindings('---js\n{ repo: process.exit(3) }\n---\nText\n');
  assert.match(first ?? '', /^1:4 front-matter-language /);
});

test('a chain of 600 sub-runs, near the limit of lines in front matter, is followed to its end', () => {
  const chain = Array.from(
    { length: 600 },
    (_, n) => `  - name: n${n}\n${n === 0 ? '' : `    dependsOn: [n${n - 1}]\n`}`,
  ).join('');
  assert.is(parseCampaign(writeCampaign(chain), 'c.md').job?.subRuns.length, 600);
  const closed = chain.replace('  - name: n0\n', '  - name: n0\n    dependsOn: [n599]\n');
  assert.match(
    formatFindings(writeCampaign(closed))[0] ?? '',
    /^5:17 circle-of-sub-runs .*: n0 -> n599 -> n598 -> /,
  );
});

test.run();
