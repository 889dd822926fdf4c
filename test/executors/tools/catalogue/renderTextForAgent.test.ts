import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderTextForAgent } from '../../../../src/executors/tools/catalogue/renderTextForAgent.ts';
import { buildToolCatalogue } from '../../../../src/executors/tools/catalogue/buildToolCatalogue.ts';

const test = suite('names of tools in texts');

const tools = buildToolCatalogue(['local', 'github']);

const renderForAgent = (text: string, prefix: string, forge: string | null = 'github') =>
  renderTextForAgent(text, { isTool: (name) => tools.has(name), prefix, forge, base: 'trunk' });

test('a tool is named as the agent sees it, in code and in the middle of a line', () => {
  assert.is(
    renderForAgent('Call `await_event { "prId": "x" }`, then `log`.', 'mcp__svc__'),
    'Call `mcp__svc__await_event { "prId": "x" }`, then `mcp__svc__log`.',
  );
  assert.is(
    renderForAgent('```json\n  add_insight { "text": "t" }\n```', 'svc_'),
    '```json\n  svc_add_insight { "text": "t" }\n```',
  );
  assert.is(renderForAgent('`mcp__svc__goto_phase`', 'svc_'), '`svc_goto_phase`');
  assert.is(renderForAgent('`mcp__svc__goto_phase`', ''), '`goto_phase`');
});

test('words and the names of other things stay as they are', () => {
  for (const text of [
    'Read the log and escalate early.',
    '`git log`, `npm test { }`, `mcp__docs__log`',
    'a coding `phase` and its `job`',
  ])
    assert.is(renderForAgent(text, 'svc_'), text);
});

test('scm_<verb> becomes the verb of the forge of the job, and a tool named so stays', () => {
  assert.is(
    renderForAgent('`scm_create_pr { }`', 'mcp__svc__'),
    '`mcp__svc__github_create_pr { }`',
  );
  assert.is(renderForAgent('`scm_create_pr`', '', 'local'), '`local_create_pr`');
  assert.is(renderForAgent('`scm_clone_repo {}`', 'svc_'), '`svc_scm_clone_repo {}`');
  assert.is(renderForAgent('`scm_merge_pr`', ''), '`scm_merge_pr`');
  assert.is(renderForAgent('`scm_create_pr`', 'svc_', null), '`scm_create_pr`');
  assert.is(renderForAgent('`local_create_repo`', 'svc_', 'local'), '`local_create_repo`');
});

test('{base} becomes the base branch, and without a repository it stays', () => {
  assert.is(renderForAgent('git switch origin/{base}', ''), 'git switch origin/trunk');
  const facts = { isTool: () => false, prefix: '', forge: null };
  assert.is(renderTextForAgent('origin/{base}', { ...facts, base: null }), 'origin/{base}');
  assert.is(renderTextForAgent('{base}', { ...facts, base: '$&' }), '$&');
});

test.run();
