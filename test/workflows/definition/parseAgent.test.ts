import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillCommand } from '../../../src/workflows/definition/fillCommand.ts';
import { type LayerName, parseAgent } from '../../../src/workflows/definition/parseAgent.ts';

const test = suite('parseAgent');

const findings = (text: string, layer: LayerName = 'tenant') =>
  parseAgent(text, 'agents/a.md', layer).diagnostics.map(
    (one) => `${one.line}:${one.column} ${one.severity} ${one.code}`,
  );

const WITH_COMMAND =
  '---\nname: Checker\ndescription: Checks.\ncommand: [node, "{layer}/check.mjs", "{job}", "{checkout}"]\ntools: [log, escalate]\n---\nText.\n';

test('an agent is text with optional front matter', () => {
  const plain = parseAgent('# Do it\n', 'agents/do-it.md', 'repo');
  assert.equal(plain, {
    file: 'agents/do-it.md',
    name: 'do-it',
    description: '',
    body: '# Do it\n',
    bodyLine: 1,
    command: null,
    tools: null,
    diagnostics: [],
  });
});

test('a command, a description and the allowed tools are read', () => {
  const agent = parseAgent(WITH_COMMAND, 'agents/a.md', 'base');
  assert.equal(agent.name, 'Checker');
  assert.equal(agent.description, 'Checks.');
  assert.equal(agent.command, ['node', '{layer}/check.mjs', '{job}', '{checkout}']);
  assert.equal(agent.tools, ['log', 'escalate']);
  assert.equal(agent.body, 'Text.\n');
  assert.equal(agent.bodyLine, 7);
  assert.equal(agent.diagnostics, []);
});

test('a repository may not declare a program: its command is an error and never returned', () => {
  const agent = parseAgent(WITH_COMMAND, 'agents/a.md', 'repo');
  assert.is(agent.command, null);
  assert.equal(findings(WITH_COMMAND, 'repo'), ['4:1 error command-not-trusted']);
  assert.equal(findings('---\ncommand: rm -rf /\n---\nx', 'repo'), [
    '2:1 error command-not-trusted',
    '2:10 error wrong-type',
  ]);
  for (const layer of ['base', 'tenant'] as const) assert.equal(findings(WITH_COMMAND, layer), []);
});

test('a command as a single string is refused, because no shell would split it', () => {
  const [one] = parseAgent(
    '---\ncommand: node check.mjs\n---\n',
    'agents/a.md',
    'tenant',
  ).diagnostics;
  assert.equal(one, {
    file: 'agents/a.md',
    line: 2,
    column: 10,
    code: 'wrong-type',
    severity: 'error',
    message: 'command must be a list of program and arguments, but is the text "node check.mjs".',
    hint: 'Write program and arguments as a list, such as ["node", "{layer}/programs/coder.mjs"]; no shell reads it.',
  });
});

test('errors of an agent have their places', () => {
  assert.equal(findings('---\ncomand: [x]\n---\ntext'), ['2:1 error unknown-key']);
  assert.equal(findings('---\ncommand: [x, "{home}/y", "{checkout}{z}"]\n---\n'), [
    '2:14 error unknown-placeholder',
    '2:26 error unknown-placeholder',
  ]);
  assert.equal(findings('---\nname: x\n---\n\n'), ['4:1 error agent-without-text']);
  assert.equal(findings(''), ['1:1 error agent-without-text']);
  assert.equal(findings('---js\n1\n---\ntext', 'repo'), ['1:4 error front-matter-language']);
});

test('placeholders are filled once: a folder with braces in its name stays what it is', () => {
  const values = { layer: '/l/{job}', job: '/j', checkout: '/c' };
  assert.equal(
    fillCommand(['node', '{layer}/x', '-o={job}{checkout}', '{other}', '{constructor}'], values),
    ['node', '/l/{job}/x', '-o=/j/c', '{other}', '{constructor}'],
  );
});

test.run();
