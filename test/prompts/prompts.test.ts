import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FORMS, PHASES, recordedRequest } from './promptStage.ts';
import { currentPrompts, GOLDEN, recordedAt } from './recorded.ts';

const test = suite('recorded prompts');

test('what an agent is given in every shipped phase is what was read and committed (`npm run prompts`)', async () => {
  const files = await currentPrompts();
  assert.is(files.size, Object.keys(FORMS).length * PHASES.length + 1);
  for (const [path, text] of files) assert.is(text, recordedAt(path), path);
  const paths = readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' });
  assert.equal(paths.filter((path) => path.endsWith('.md')).sort(), [...files.keys()].sort());
});

test('Claude reads the tools by the same names as the built-in agent', async () => {
  for (const phase of PHASES) {
    const [claude, builtin] = await Promise.all(
      ['claude', 'builtin'].map((provider) => recordedRequest({ ...phase, provider })),
    );
    assert.is(claude?.systemPrompt, builtin?.systemPrompt);
    assert.is(claude?.kickoff, builtin?.kickoff);
  }
});

test('tools have one form in each prompt, and no text means a forge that the job is not on', async () => {
  const others: Record<keyof typeof FORMS, RegExp> = {
    builtin: /`(?:svc_)?(?:await_event|log|escalate|get_artifacts|github_\w+)[` ]/,
    opencode: /`(?:mcp__svc__)?(?:await_event|log|escalate|get_artifacts|github_\w+)[` ]/,
    codex: /`(?:mcp__svc__|svc_)(?!_)(?:await_event|log|escalate|get_artifacts|github_\w+)[` ]/,
    command: /`(?:mcp__svc__|svc_)(?!_)(?:await_event|log|escalate|get_artifacts|github_\w+)[` ]/,
  };
  for (const [path, text] of await currentPrompts()) {
    const [form] = path.split('/');
    const other = Object.entries(others).find(([name]) => name === form)?.[1];
    if (other) assert.not.match(text, other, path);
    assert.not.match(text, /local_|gitlab_|scm_create_pr|\{base\}|origin\/main/, path);
  }
});

test('a job on another forge reads that one’s names', async () => {
  const coding = PHASES.find(({ phase }) => phase.name === 'coding');
  assert.ok(coding);
  const { systemPrompt } = await recordedRequest({
    ...coding,
    provider: 'builtin',
    forge: 'local',
  });
  assert.match(systemPrompt, '`mcp__svc__local_reply_to_comment {');
  assert.not.match(systemPrompt, 'github_');
});

test('only a program is given a list of the tools in its prompt', async () => {
  for (const [path, text] of await currentPrompts()) {
    const lists = /^- `read_memory` \{ path\?, offset\? \}:/m.test(text);
    assert.is(lists, path.startsWith('command/'), path);
  }
});

test.run();
