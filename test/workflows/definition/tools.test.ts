import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFindings } from '../../../src/workflows/definition/findings.ts';
import { checkMergesInText } from '../../../src/workflows/definition/mergeRule.ts';
import { parseAgent } from '../../../src/workflows/definition/parseAgent.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import { createUnknownToolExplainer } from '../../../src/executors/tools/catalogue/toolAllowlist.ts';
import { createPhase } from '../../support/http/fakeAgentJob.ts';

const context = { unknownTool: createUnknownToolExplainer(['local']) };

const workflowWith = (tools: string) => {
  const { table, diagnostics } = parseWorkflow(
    `---\ninitial_phase: a\nphases:\n  - { name: a, agent: agents/a.md, status: a, tools: ${tools} }\n---\n`,
    'w.md',
    context,
  );
  return {
    tools: table?.phases.map((phase) => phase.tools),
    found: diagnostics.map(
      ({ line, column, code, message, hint }) => `${line}:${column} ${code} ${message} ${hint}`,
    ),
  };
};

const test = suite('tools in front matter');

test('the tools of a phase are part of the table only where they are declared (TOOL-10)', () => {
  assert.equal(workflowWith('[read, log, mcp__docs__find, local_create_pr]'), {
    tools: [['read', 'log', 'mcp__docs__find', 'local_create_pr']],
    found: [],
  });
  assert.equal(workflowWith('[skill, scm_create_pr, tracker_post_comment, "mcp__*"]'), {
    tools: [['skill', 'scm_create_pr', 'tracker_post_comment', 'mcp__*']],
    found: [],
  });
  assert.equal(workflowWith('[]').tools, [[]]);
  assert.equal(workflowWith('null').tools, [undefined]);
});

test('a misspelt tool is an error with its place and a suggestion', () => {
  assert.equal(workflowWith('[read, add_insigth]'), {
    tools: undefined,
    found: ['4:61 unknown-tool The tool add_insigth does not exist. Did you mean add_insight?'],
  });
  assert.equal(workflowWith('[scm_creat_pr]').found, [
    '4:55 unknown-tool The tool scm_creat_pr does not exist. Did you mean scm_create_pr?',
  ]);
  assert.equal(workflowWith('read').found, [
    '4:54 wrong-type phases[0].tools must be a list of at most 100 tool names, or null, but is the text "read". Write a list of at most 100 tool names, or null.',
  ]);
});

for (const [theirs, ours] of [
  ['Bash', 'shell'],
  ['MultiEdit', 'edit'],
  ['Bash(git:*)', 'shell'],
  ['Read', 'read'],
] as const)
  test(`${theirs} in a phase is an error that names ${ours}`, () => {
    const [finding] = workflowWith(`["${theirs}"]`).found;
    assert.match(finding ?? '', new RegExp(`unknown-tool .* Did you mean ${ours}\\?$`));
  });

test('the same holds for the tools of an agent', () => {
  const { diagnostics } = parseAgent(
    '---\ntools: [shel]\n---\nx\n',
    'agents/a.md',
    'base',
    context,
  );
  assert.equal(
    diagnostics.map(({ line, column, code, hint }) => `${line}:${column} ${code} ${hint}`),
    ['2:9 unknown-tool Did you mean shell?'],
  );
});

const mergesFound = (tools: readonly string[], text: string): string[] => {
  const findings = createFindings('agents/a.md');
  checkMergesInText(text, 1, [{ ...createPhase('a'), tools: [...tools] }], findings);
  return findings.list.map(({ code }) => code);
};

test('scm_merge_pr in a list covers the merge of whichever forge the text names', () => {
  assert.equal(mergesFound(['scm_merge_pr'], 'Then `github_merge_pr`, or `scm_merge_pr`.'), []);
  assert.equal(mergesFound(['local_merge_pr'], 'Then `local_merge_pr`.'), []);
  assert.equal(mergesFound(['log'], 'Then `github_merge_pr`.'), ['merge-not-listed']);
});

test('the name of another agent program for a built-in tool leads to ours', () => {
  const hint = createUnknownToolExplainer([]);
  assert.equal(['bash', 'Bash', 'read_file', 'Search'].map(hint), [
    'Did you mean shell?',
    'Did you mean shell?',
    'Did you mean read?',
    'Did you mean grep?',
  ]);
});

test.run();
