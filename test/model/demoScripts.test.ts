import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demoScripts } from '../../demo/model/demoScripts.ts';
import { computeNextStep } from '../../demo/model/server.ts';
import type { Call, Step } from '../../demo/model/script.ts';

const test = suite('model demo scripts');

const getCallName = (call: Call): string =>
  'svc' in call
    ? call.svc
    : 'shell' in call
      ? 'shell'
      : 'read' in call
        ? `read ${call.read}`
        : 'write' in call
          ? `write ${call.write}`
          : 'server' in call
            ? call.mcp
            : call.tool;

/**
 * Plays a script against a job: `answers` by the name of what is called; answers the calls in order
 * and the last words.
 */
function play(script: string, answers: Readonly<Record<string, string | string[]>>) {
  const remaining = new Map(
    Object.entries(answers).map(([name, replies]) => [
      name,
      Array.isArray(replies) ? [...replies] : [replies],
    ]),
  );
  const scene = { marker: script, said: [], system: '', offered: [] };
  const results: { text: string; failed: boolean }[] = [];
  const calls: string[] = [];
  for (;;) {
    const step: Step = computeNextStep(demoScripts[script] ?? [], { ...scene, answers: results });
    const [call] = step.calls ?? [];
    if (!call) return { calls, said: step.say };
    const name = getCallName(call);
    calls.push(name);
    const replies = remaining.get(name);
    results.push({
      text: (replies && replies.length > 1 ? replies.shift() : replies?.[0]) ?? '',
      failed: false,
    });
  }
}

const PASS = '# fail 0';
const FAIL = 'not ok 1 - accented characters are kept\n# fail 1';
const item = (status: string) => `slugify [${status}] Make slugify keep accented characters`;

test('the planner makes a work item of what fails and shows a plan; where nothing fails it asks a person', () => {
  assert.equal(play('planner', { shell: ['', FAIL] }), {
    calls: ['shell', 'shell', 'set_work_items', 'post_artifact'],
    said: 'Failing: accented characters are kept. The plan waits for approval.',
  });
  assert.equal(play('planner', { shell: ['', PASS] }).calls, ['shell', 'shell', 'escalate']);
});

test('the coder fixes, opens a pull request and waits for it', () => {
  const answers = {
    get_work_items: item('pending'),
    shell: PASS,
    local_create_pr: '{ "prId": "local:titles#3", "number": 3 }',
  };
  const first = play('coder', { ...answers, local_get_pr_comments: '{ "comments": [] }' });
  assert.equal(first, {
    calls: [
      'get_work_items',
      'update_work_item',
      'shell',
      'read src/slugify.js',
      'write src/slugify.js',
      'shell',
      'shell',
      'local_create_pr',
      'local_get_pr_comments',
      'await_event',
    ],
    said: 'local:titles#3 waits for its review.',
  });
});

test('the coder does what a reviewer asks for, once, and does not write again what exists', () => {
  const comment = { id: 'c1', author: 'reviewer', inReplyTo: null, body: 'And dashes?' };
  const answers = {
    get_work_items: JSON.stringify({
      items: [{ id: 'slugify', title: 'T', status: 'in-progress', prIds: [] }],
    }),
    shell: PASS,
    'read src/slugify.js': '4\t.normalize("NFKD")',
    local_create_pr: '{ "prId": "local:titles#3" }',
  };
  const begin = [
    'get_work_items',
    'update_work_item',
    'shell',
    'read src/slugify.js',
    'shell',
    'shell',
    'local_create_pr',
  ];
  assert.equal(
    play('coder', { ...answers, local_get_pr_comments: JSON.stringify({ comments: [comment] }) })
      .calls,
    [
      ...begin,
      'local_get_pr_comments',
      'read test/slugify.test.js',
      'write test/slugify.test.js',
      'shell',
      'shell',
      'local_create_pr',
      'local_reply_to_comment',
      'await_event',
    ],
  );
  const commentsReply = JSON.stringify({
    comments: [comment, { id: 'c2', author: 'svc', inReplyTo: 'c1' }],
  });
  assert.equal(play('coder', { ...answers, local_get_pr_comments: commentsReply }).calls, [
    ...begin,
    'local_get_pr_comments',
    'await_event',
  ]);
});

test('tester, evaluator and reporter close the job', () => {
  assert.equal(play('tester', { shell: PASS }), {
    calls: ['shell', 'shell', 'add_insight'],
    said: 'All tests pass on main.',
  });
  assert.equal(play('evaluator', { get_work_items: item('in-progress'), shell: PASS }).calls, [
    'get_work_items',
    'shell',
    'update_work_item',
  ]);
  assert.equal(play('evaluator', { get_work_items: item('in-progress'), shell: FAIL }).calls, [
    'get_work_items',
    'shell',
    'goto_phase',
  ]);
  assert.equal(play('reporter', { get_work_items: item('complete'), shell: '19cdeb1' }), {
    calls: ['get_work_items', 'shell', 'post_artifact'],
    said: 'The report is written.',
  });
});

test.run();
