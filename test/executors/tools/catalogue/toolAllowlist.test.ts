import { systemClock } from '../../../../src/base/time/clock.ts';
import { neverAway } from '../../../../src/base/concurrency/unlessAway.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../../src/base/secrets/knownSecrets.ts';
import { renderToolPrompt } from '../../../../src/executors/tools/catalogue/renderToolPrompt.ts';
import { PhaseTools } from '../../../../src/executors/tools/host/phaseTools.ts';
import {
  pickAllowedBuiltIns,
  pickAllowedServerTools,
  allowsJobTool,
  intersectToolLists,
  derivePhaseToolList,
  createUnknownToolExplainer,
} from '../../../../src/executors/tools/catalogue/toolAllowlist.ts';
import { FakeJobPort } from '../../../support/http/fakeAgentJob.ts';

const test = suite('tool allowlist');

const toolsWith = (port: FakeJobPort, allowed: readonly string[] | null, secrets: string[] = []) =>
  new PhaseTools(
    port,
    ['local'],
    (where, error) => {
      throw new Error(where, { cause: error });
    },
    { clock: systemClock, awaySince: neverAway, allowed, screen: new KnownSecrets(secrets).screen },
  );

test('a phase offers the tools of its list, and log and escalate always (TOOL-10)', async () => {
  const port = new FakeJobPort();
  const phase = toolsWith(port, ['read', 'add_insight', 'mcp__svc__get_work_items']);
  assert.equal((await phase.listOffered()).map(({ name }) => name).sort(), [
    'add_insight',
    'escalate',
    'get_work_items',
    'log',
  ]);
  assert.equal(await phase.call('goto_phase', { phase: 'coding' }), {
    text: 'This phase has no tool "goto_phase". The tools are: get_work_items, escalate, log, add_insight.',
    data: {},
    failed: true,
  });
  assert.equal(port.sent, []);
});

test('the prompt names no tool that the phase does not have', () => {
  const prompt = renderToolPrompt(['local'], {
    isAllowed: (name) => allowsJobTool(['add_insight'], name),
  });
  assert.equal(
    [...prompt.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name),
    ['escalate', 'log', 'add_insight'],
  );
});

test('no list means all tools, an empty one only log and escalate', () => {
  assert.equal(pickAllowedBuiltIns(null), null);
  assert.equal(pickAllowedBuiltIns([]), []);
  assert.equal(pickAllowedBuiltIns(['shell', 'read', 'log']), ['read', 'shell']);
  assert.equal(
    ['goto_phase', 'log', 'escalate'].map((name) => [
      allowsJobTool(null, name),
      allowsJobTool([], name),
    ]),
    [
      [true, false],
      [true, true],
      [true, true],
    ],
  );
});

test('an external server is named whole or tool by tool, and not at all without its name', () => {
  const list = ['mcp__docs', 'mcp__gh__search', 'mcp__gh__get__pr', 'mcp__svc__log', 'read'];
  assert.equal(
    ['docs', 'gh', 'other', 'svc'].map((id) => pickAllowedServerTools(list, id)),
    [null, ['search', 'get__pr'], [], []],
  );
  assert.is(pickAllowedServerTools(null, 'docs'), null);
});

test('of two lists that counts what both allow', () => {
  assert.is(intersectToolLists(null, null), null);
  assert.equal(intersectToolLists(['read'], null), ['read']);
  assert.equal(intersectToolLists(null, ['read']), ['read']);
  assert.equal(
    intersectToolLists(['read', 'mcp__svc__log', 'mcp__docs'], ['log', 'shell', 'mcp__docs__find']),
    ['mcp__svc__log', 'mcp__docs__find'],
  );
  assert.equal(intersectToolLists(['mcp__docs__find', 'mcp__docs__drop'], ['mcp__docs']), [
    'mcp__docs__find',
    'mcp__docs__drop',
  ]);
  assert.equal(intersectToolLists(['mcp__gh'], ['mcp__gh']), ['mcp__gh']);
});

test('an unknown name is reported with a suggestion', () => {
  const hint = createUnknownToolExplainer(['local']);
  for (const known of [
    'read',
    'log',
    'mcp__svc__log',
    'local_create_pr',
    'github_merge_pr',
    'mcp__docs',
    'mcp__docs__find',
    'mcp__*',
    'scm_create_pr',
    'scm_reply_to_comment',
    'tracker_get_issue',
  ]) {
    assert.is(hint(known), null, known);
  }
  assert.is(hint('raed'), 'Did you mean read?');
  assert.is(hint('mcp__svc__add_insigth'), 'Did you mean add_insight?');
  assert.is(hint('scm_creat_pr'), 'Did you mean scm_create_pr?');
  assert.is(hint('tracker_get_isue'), 'Did you mean tracker_get_issue?');
  for (const wrong of ['mcp__*__find', 'scm_*', '*', 'scm_paint_the_fence'])
    assert.type(hint(wrong), 'string', wrong);
  assert.match(hint('paint_the_fence') ?? '', /^Built in: read, write/);
});

test('the bytes of an artefact hold no known secret, and their size and hash are those of what is stored (TOOL-2)', async () => {
  const port = new FakeJobPort();
  const content = `# Report\nkey: canary-secret\nbasic: ${Buffer.from('ana:canary-secret').toString('base64')}\n`;
  const answer = await toolsWith(port, null, ['canary-secret']).call('post_artifact', {
    kind: 'report-md',
    title: 'Report',
    content,
  });
  const [artefactText = ''] = port.stored;
  assert.match(artefactText, /^# Report\nkey: \[secret\]\nbasic: .*\[secret\].*\n$/);
  assert.equal(answer.failed, undefined);
  assert.equal(answer.data.size, Buffer.byteLength(artefactText));
});

test('secrets are taken out of what a tool gets before the job has it, and out of what it answers', async () => {
  const port = new FakeJobPort();
  const phase = toolsWith(port, null, ['canary-secret']);
  await phase.call('add_insight', {
    category: 'pitfall',
    text: `the token is ${Buffer.from('x:canary-secret').toString('base64')}`,
  });
  await phase.call('escalate', { reason: 'canary-secret' });
  const eventsText = JSON.stringify(port.sent);
  assert.not.ok(eventsText.includes('canary-secret'), eventsText);
  assert.not.ok(
    eventsText.includes(Buffer.from('canary-secret').toString('base64').slice(2, 12)),
    eventsText,
  );
  assert.match(eventsText, /\[secret\]/);
  const unknown = await phase.call('canary-secret', {});
  assert.match(unknown.text, /^The tool \[secret\] does not exist\./);
});

test('tools that merge are allowed only where a list names them, and of a phase without a list not by its agent', () => {
  for (const name of ['local_merge_pr', 'github_merge_pr', 'scm_merge_pr']) {
    assert.is(allowsJobTool(null, name), false, name);
    assert.is(allowsJobTool([name], name), true, name);
    assert.equal(derivePhaseToolList(null, ['log', name]), ['log']);
    assert.equal(derivePhaseToolList([name], null), [name]);
    assert.equal(derivePhaseToolList(['log', name], ['log']), ['log']);
  }
  assert.is(allowsJobTool(null, 'local_approve_pr'), true);
});

test.run();
