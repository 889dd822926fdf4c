import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINT_CODES } from '../../../src/workflows/definition/findings.ts';
import { parseAgent } from '../../../src/workflows/definition/parseAgent.ts';
import { parseCampaign } from '../../../src/workflows/definition/parseCampaign.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import type { WorkflowContext } from '../../../src/workflows/definition/workflowContext.ts';

const test = suite('parseWorkflow');

const findings = (text: string, context: WorkflowContext = {}) =>
  parseWorkflow(text, 'workflows/w.md', context).diagnostics.map(
    (one) => `${one.line}:${one.column} ${one.severity} ${one.code} | ${one.hint}`,
  );

const VALID = `---
initial_phase: plan
phases:
  - name: plan
    agent: agents/planner.md
    status: planning
  - name: wait
    agent: null
    status: awaiting-pr-merge
---

Text.
`;

test('a workflow becomes a table with every default filled in (INT-5)', () => {
  const parsed = parseWorkflow(VALID, 'workflows/my-flow.md', {
    hasAgent: () => true,
    aliases: [],
  });
  const defaults = {
    model: null,
    interactive_checkpoint: false,
    provider: null,
    obligations: null,
  };
  const table = {
    initial_phase: 'plan',
    initial_status: 'planning',
    phases: [
      { name: 'plan', agent: 'agents/planner.md', status: 'planning', ...defaults },
      { name: 'wait', agent: null, status: 'awaiting-pr-merge', ...defaults },
    ],
    coordinator: null,
  };
  assert.equal(parsed, {
    file: 'workflows/my-flow.md',
    phases: ['plan', 'wait'],
    agents: ['agents/planner.md'],
    table,
    sketch: table,
    body: '\nText.\n',
    places: { id: { line: 1, column: 1 }, label: { line: 1, column: 1 } },
    meta: {
      id: 'my-flow',
      label: 'My flow',
      description: '',
      createParams: {
        required: [],
        optional: ['repo', 'description', 'reviewers', 'jiraTicketId', 'gitProvider'],
      },
    },
    proofs: [],
    diagnostics: [],
  });
});

test('phases that are a map are answered with how a list begins, not with the message again', () => {
  assert.equal(
    findings('---\ninitial_phase: check\nphases:\n  check:\n    status: checking\n---\n'),
    ['4:3 error wrong-type | Begin each entry with a hyphen, as in `- name: check`, or `- check`.'],
  );
});

test('every key that an author may write is read (INT-5)', () => {
  const parsed = parseWorkflow(
    `---
id: own-id
label: Own label
description: What it does.
initial_phase: plan
initial_status: campaign-planning
createParams: { required: [description] }
phases:
  - { name: plan, agent: agents/a.md, status: planning, model: planning, interactive_checkpoint: true, provider: command, obligations: [it works] }
  - { name: park, agent: null, status: awaiting-sub-runs }
  - { name: gather, agent: agents/a.md, status: aggregating }
coordinator:
  enabled: true
  parkPhase: park
  parkStatus: awaiting-sub-runs
  resumePhase: gather
  subRunWorkflowPath: workflows/job.md
  subRunParamsDefault: { epicAllowed: false }
  maxParallelSubRuns: 3
  failurePolicy: continue
  forwardSiblingInsights: true
---
`,
    'workflows/w.md',
    { aliases: ['planning'] },
  );
  assert.equal(parsed.diagnostics, []);
  assert.equal(parsed.meta, {
    id: 'own-id',
    label: 'Own label',
    description: 'What it does.',
    createParams: { required: ['description'], optional: [] },
  });
  assert.equal(parsed.table?.initial_status, 'campaign-planning');
  assert.equal(parsed.table?.phases[0], {
    name: 'plan',
    agent: 'agents/a.md',
    model: 'planning',
    status: 'planning',
    interactive_checkpoint: true,
    provider: 'command',
    obligations: ['it works'],
  });
  assert.equal(parsed.table?.coordinator, {
    enabled: true,
    parkPhase: 'park',
    parkStatus: 'awaiting-sub-runs',
    resumePhase: 'gather',
    subRunWorkflowPath: 'workflows/job.md',
    subRunParamsDefault: { epicAllowed: false },
    maxParallelSubRuns: 3,
    failurePolicy: 'continue',
    forwardSiblingInsights: true,
  });
});

test('many mistakes are reported at once, each with its line, its column and how to fix it', () => {
  const text = `---
intial_phase: planing
initial_status: Planning
phases:
  - name: planning
    agent: agents/planer.md
    status: Planning Now
    interactive_checkpont: true
    model: planing
  - name: planning
    agent: null
    status: 7
  - status: x
    agent: [a]
coordinator: { enabled: true, failurePolicy: stop, resumePhase: gathering }
---

Then call \`goto_phase { "phase": "plannin" }\`.
`;
  const context = {
    hasAgent: () => false,
    agents: ['agents/planner.md', 'agents/coder.md'],
    aliases: ['planning'],
  };
  assert.equal(findings(text, context), [
    '2:1 error unknown-key | Did you mean initial_phase?',
    '3:17 error bad-status | Write planning.',
    '6:12 error missing-agent | Did you mean agents/planner.md?',
    '7:13 error bad-status | Write planning-now.',
    '8:5 error unknown-key | Did you mean interactive_checkpoint?',
    '9:12 error unknown-alias | Did you mean planning?',
    '10:11 error duplicate-phase | Give each phase a unique name.',
    '12:13 error wrong-type | Write the status that the job shows in this phase, such as coding.',
    '13:5 error missing-key | Add name: a name of at most 64 characters.',
    '14:12 error wrong-type | Write the path of an agent such as agents/coder.md, or agent: null for a phase without a session.',
    '15:14 error coordinator-without-park-phase | Add parkPhase with the name of a phase that has agent: null.',
    '15:14 error missing-key | An enabled coordinator needs subRunWorkflowPath.',
    '15:46 error wrong-type | Write halt-on-failure or continue.',
    '15:65 error unknown-phase | Known: planning.',
    '18:35 warning goto-unknown-phase | Did you mean planning?',
  ]);
  assert.is(parseWorkflow(text, 'w.md', context).table, null);
});

const phases = (count: number) =>
  Array.from({ length: count }, (_, at) => `  - { name: p${at}, agent: null, status: s }`).join(
    '\n',
  );
const one = 'phases:\n  - { name: plan, agent: null, status: s }\n';

const AGENT_B = '{ name: b, agent: agents/b.md, status: s }';
const writeFlow = (...each: string[]) =>
  `---\ninitial_phase: ${/name: (\w+)/.exec(each[0] ?? '')?.[1]}\nphases:\n${each.map((line) => `  - ${line}\n`).join('')}---\n`;
const coordinating = (park: string, resumePhase = 'sum') =>
  `---\ninitial_phase: plan\nphases:\n  - { name: plan, agent: agents/a.md, status: s }\n  - ${park}\n  - { name: sum, agent: agents/a.md, status: s }\ncoordinator: { enabled: true, parkPhase: park, resumePhase: ${resumePhase}, subRunWorkflowPath: w.md }\n---\n`;

/** One file for each code, with what is found in it. */
const CASES: [code: string, text: string, found: string[], context?: WorkflowContext][] = [
  ['unknown-key', `---\ninitial_phase: plan\n${one}colour: red\n---\n`, ['5:1 error']],
  ['wrong-type', `---\ninitial_phase: [plan]\n${one}---\n`, ['2:16 error']],
  ['wrong-type', '---\ninitial_phase: plan\nphases: []\n---\n', ['3:9 error']],
  ['wrong-type', `---\ninitial_phase: plan\n${one}coordinator: yes please\n---\n`, ['5:14 error']],
  [
    'wrong-type',
    `---\ninitial_phase: plan\n${one}createParams: { required: repo }\n---\n`,
    ['5:27 error'],
  ],
  ['missing-key', `---\n${one}---\n`, ['2:1 error']],
  [
    'duplicate-phase',
    `---\ninitial_phase: plan\n${one}  - { name: plan, agent: null, status: s }\n---\n`,
    ['5:13 error'],
  ],
  ['unknown-phase', `---\ninitial_phase: plam\n${one}---\n`, ['2:16 error']],
  [
    'unknown-phase',
    `---\ninitial_phase: plan\n${one}coordinator: { enabled: false, parkPhase: park }\n---\n`,
    ['5:43 error'],
  ],
  [
    'missing-agent',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/x.md, status: s }\n---\n',
    ['4:23 error'],
    { hasAgent: () => false },
  ],
  [
    'unknown-alias',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/a.md, status: s, model: big }\n---\n',
    ['4:54 error'],
    { aliases: ['small'] },
  ],
  [
    'unknown-alias',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/a.md, status: s, model: big }\n---\n',
    ['4:54 warning'],
    { aliases: [] },
  ],
  [
    'unknown-provider',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/a.md, status: s, provider: comand }\n---\n',
    ['4:57 error'],
    { executors: { ids: ['command'], llm: { defaultProvider: 'command', aliases: {} } } },
  ],
  ['too-many-phases', `---\ninitial_phase: p0\nphases:\n${phases(65)}\n---\n`, ['68:5 error']],
  ['writes-to-form', `---\ninitial_phase: plan\n${one}writesTo: [shop]\n---\n`, ['5:12 error']],
  [
    'writes-to-not-trusted',
    `---\ninitial_phase: plan\n${one}writesTo: ['local:shop']\n---\n`,
    ['5:1 warning'],
    { trusted: false },
  ],
  ['front-matter-language', '---js\n{}\n---\n', ['1:4 error']],
  ['yaml-syntax', `---\ninitial_phase: 'plan\n${one}---\n`, ['2:16 error']],
  ['empty-front-matter', '---\n# nothing\n---\n', ['1:1 error']],
  ['empty-front-matter', 'Only text.\n', ['1:1 error']],
  ['empty-front-matter', '', ['1:1 error']],
  ['front-matter-too-large', `---\na: ${'x'.repeat(70_000)}\n---\n`, ['1:1 error']],
  ['file-too-large', 'x'.repeat(300_000), ['1:1 error']],
  [
    'coordinator-without-park-phase',
    `---\ninitial_phase: plan\n${one}coordinator:\n  enabled: true\n  resumePhase: plan\n  subRunWorkflowPath: workflows/job.md\n---\n`,
    ['6:3 error'],
  ],
  [
    'resume-in-park-phase',
    `---\ninitial_phase: plan\n${one}coordinator:\n  enabled: true\n  parkPhase: plan\n  resumePhase: plan\n  subRunWorkflowPath: workflows/job.md\n---\n`,
    ['8:16 error'],
  ],
  [
    'goto-unknown-phase',
    `---\ninitial_phase: plan\n${one}---\nUse goto_phase("code").\n`,
    ['6:17 warning'],
  ],
  [
    'bad-status',
    `---\ninitial_phase: plan\n${one}  - { name: b, agent: null, status: In_Review }\n---\n`,
    ['5:37 error'],
  ],
  [
    'reserved-status',
    `---\ninitial_phase: plan\n${one}  - { name: b, agent: null, status: complete }\n---\n`,
    ['5:37 error'],
  ],
  [
    'reserved-status',
    `---\ninitial_phase: plan\nphases:\n  - { name: plan, agent: agents/a.md, status: paused }\n---\n`,
    ['4:47 warning'],
  ],
  [
    'reserved-status',
    `---\ninitial_phase: plan\ninitial_status: failed\n${one}---\n`,
    ['3:17 error'],
  ],
  [
    'duplicate-param',
    `---\ninitial_phase: plan\n${one}createParams: { required: [repo], optional: [repo] }\n---\n`,
    ['5:46 warning'],
  ],
  [
    'unknown-event-kind',
    `---\ninitial_phase: plan\n${one}---\nawait_event { "kinds": ["merged", "merge"] }\n`,
    ['6:36 warning'],
  ],
  [
    'missing-workflow',
    `---\ninitial_phase: plan\n${one}---\nswitch_workflow { "workflowPath": "w.md" }\n`,
    ['6:36 warning'],
    { workflows: [] },
  ],
  [
    'missing-workflow',
    `---\ninitial_phase: plan\n${one}coordinator: { enabled: false, subRunWorkflowPath: w.md }\n---\n`,
    ['5:52 error'],
    { workflows: [] },
  ],
  [
    'not-an-agent',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: p.md, status: s }\n---\n',
    ['4:23 error'],
  ],
  [
    'not-an-agent',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: .claude/agents/p.md, status: s }\n---\n',
    ['4:23 error'],
  ],
  [
    'key-without-agent',
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: null, status: s, tools: [log] }\n---\n',
    ['4:40 warning'],
  ],
  ['idle-phase', writeFlow('{ name: a, agent: null, status: s }', AGENT_B), ['4:23 warning']],
  [
    'idle-phase',
    writeFlow(
      AGENT_B,
      '{ name: c, agent: null, status: s }',
      '{ name: d, agent: null, status: s }',
    ),
    ['6:23 warning'],
  ],
  [
    'checkpoint-shows-nothing',
    writeFlow('{ name: a, agent: null, status: s, interactive_checkpoint: true }', AGENT_B),
    ['4:64 warning'],
  ],
  [
    'unreachable-phase',
    `---\ninitial_phase: plan\nphases:\n  - { name: a, agent: null, status: s, interactive_checkpoint: true }\n  - { name: plan, agent: null, status: s }\n---\n`,
    ['4:13 warning'],
  ],
  [
    'park-phase-with-agent',
    coordinating('{ name: park, agent: agents/b.md, status: s }'),
    ['5:26 warning'],
    { agentText: () => '' },
  ],
  [
    'checkpoint-in-park-phase',
    coordinating('{ name: park, agent: null, status: s, interactive_checkpoint: true }'),
    ['5:67 error'],
  ],
  [
    'no-way-to-end',
    coordinating('{ name: park, agent: null, status: s }', 'plan'),
    ['7:61 error'],
    { agentText: () => '' },
  ],
  [
    'workflow-too-large',
    `---\ninitial_phase: p\nphases:\n  - { name: p, agent: agents/a.md, status: s, obligations: [${Array(19).fill('x'.repeat(499))}] }\n${`  - { name: q, agent: agents/a.md, status: s, obligations: [${Array(8).fill('x'.repeat(499))}] }\n`}---\n`,
    ['3:1 error'],
  ],
  [
    'bad-phase-name',
    '---\ninitial_phase: a/b\nphases:\n  - { name: a/b, agent: null, status: s }\n---\n',
    ['4:13 error'],
  ],
];

for (const [code, text, places, context] of CASES) {
  test(`${code} at ${places.join(', ')}`, () => {
    const { diagnostics, table } = parseWorkflow(text, 'workflows/w.md', context);
    assert.equal(
      diagnostics.map((each) => `${each.line}:${each.column} ${each.severity} ${each.code}`),
      places.map((place) => `${place} ${code}`),
    );
    assert.is(
      table === null,
      diagnostics.some((each) => each.severity === 'error'),
      'an error, and only an error, takes the table away',
    );
    for (const { message, hint } of diagnostics)
      assert.ok(/\.$/.test(message) && hint.length > 0, `${message} / ${hint}`);
  });
}

/** What the files of corpus/broken show. */
const CORPUS: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('corpus/expected.json', import.meta.url), 'utf8'),
);

test('every code of the table is raised by some file', () => {
  const ofAgents = [
    '---\ncommand: [a, "{b}"]\n---\n',
    '---\nname: x\n---\n',
    '---\ntools: [raed]\n---\nx',
    '---\ncolor: blue\n---\nx',
  ].flatMap((text) =>
    parseAgent(text, 'a.md', 'repo', { unknownTool: () => 'x' }).diagnostics.map(
      (each) => each.code,
    ),
  );
  const ofCampaigns = [
    'name: a, dependsOn: [b] }',
    'name: a, dependsOn: [a] }, { name: a }',
  ].flatMap((subRuns) =>
    parseCampaign(`---\nrepo: x\nsub-runs: [{ ${subRuns}]\n---\n`, 'c.md').diagnostics.map(
      (each) => each.code,
    ),
  );
  // What needs several files, or a home: corpus.test.ts, stuckPhases.test.ts.
  const folders = readdirSync(new URL('corpus/folders', import.meta.url));
  const ofFolders = [...folders.map((name) => name.split('--')[0]), 'agent-without-executor'];
  const raised = new Set([
    ...Object.values(CORPUS).flatMap((findings) => findings.map((one) => one.split(' ')[2])),
    ...ofFolders,
    ...CASES.map(([code]) => code),
    ...ofAgents,
    ...ofCampaigns,
  ]);
  assert.equal(
    Object.keys(LINT_CODES).filter((code) => !raised.has(code)),
    [],
  );
});

test('a parameter that is nearly named as one that svc reads is pointed out, and others are not', () => {
  const hints = (names: string) =>
    parseWorkflow(
      `---\ninitial_phase: plan\n${one}createParams: { required: [${names}] }\n---\n`,
      'w.md',
      {},
    )
      .diagnostics.filter(({ code }) => code === 'misnamed-param')
      .map(({ hint }) => hint);
  for (const name of ['repository', 'Repo', 'repo_name', 'git-repo', 'repositories'])
    assert.equal(hints(`${name}, description`), ['Did you mean repo?'], name);
  assert.equal(hints('repo, descripton, jira_ticket_id, reviewer'), [
    'Did you mean description?',
    'Did you mean jiraTicketId?',
    'Did you mean reviewers?',
  ]);
  assert.equal(hints('repo, repository, repro, ticket, plan, component, budgetCode'), []);
});

test('places in findings are written alike, in lists of phases and of invariants', () => {
  const { diagnostics } = parseWorkflow(
    '---\ninitial_phase: p\nphases:\n  - { name: p, agent: null, status: [] }\ninvariants:\n  - { id: a, never: merge, unless: aproved }\n---\n',
    'w.md',
    {},
  );
  const messages = diagnostics.map(({ message }) => message).join('\n');
  assert.match(messages, 'phases[0].status ');
  assert.match(messages, 'invariants[0].unless ');
});

test('names in goto_phase are found in every spelling, and prose is left alone', () => {
  const calls = [
    '`goto_phase { "phase": "nope" }`',
    "goto_phase({ phase: 'nope' })",
    'goto_phase { phase: nope }',
    'goto_phase("nope")',
    '`goto_phase nope`',
    '`goto_phase` `nope`',
  ];
  for (const call of calls) assert.is(findings(`${VALID}${call}\n`).length, 1, call);
  const prose = [
    'call goto_phase with the name of a phase',
    '`goto_phase` takes a phase',
    'goto_phase: see below',
    '`goto_phase { "phase": "plan" }`',
    '`goto_phase wait`',
  ];
  for (const text of prose) assert.equal(findings(`${VALID}${text}\n`), [], text);
});

test('keys that every object inherits are unknown keys like all others', () => {
  const known =
    'Known: id, label, description, initial_phase, initial_status, phases, coordinator, createParams, budget, invariants, writesTo.';
  assert.equal(findings(`---\ninitial_phase: plan\n${one}constructor: 1\ntoString: 2\n---\n`), [
    `5:1 error unknown-key | ${known}`,
    `6:1 error unknown-key | ${known}`,
  ]);
});

test('a file with thousands of mistakes is answered with the first hundred, in time', () => {
  const keys = Array.from({ length: 1_900 }, (_, at) => `initial_phas${at}: x`).join('\n');
  const start = process.cpuUsage();
  const parsed = parseWorkflow(`---\n${keys}\n---\n`, 'workflows/w.md');
  assert.is(parsed.diagnostics.length, 100);
  assert.is(parsed.table, null);
  assert.ok(process.cpuUsage(start).user < 3_000_000, 'in time');
});

test.run();
