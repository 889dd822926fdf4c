import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolEvent } from '../../../../machines/job/jobEvents.ts';
import type { Campaign, SubRunView } from '../../../../src/contract/schema/job/campaign.ts';
import type { WorkflowTable } from '../../../../src/contract/schema/workflow/workflow.ts';
import { renderToolPrompt } from '../../../../src/executors/tools/catalogue/renderToolPrompt.ts';
import { FakeJobPort, createWorkflow } from '../../../support/http/fakeAgentJob.ts';
import { callTool, serveTools } from '../../../support/agents/toolServer.ts';

type Draft<Event> = Event extends ToolEvent ? Omit<Event, 'visit' | 'session'> : never;
/**
 * What the chart takes, without the fence that the port adds: an event of another shape does not
 * compile.
 */
const event = (draft: Draft<ToolEvent>) => draft;

const test = suite('tools: orchestration');

const coordinating: WorkflowTable = {
  ...createWorkflow('planning', 'waiting', 'aggregating'),
  coordinator: {
    enabled: true,
    parkPhase: 'waiting',
    parkStatus: null,
    resumePhase: 'aggregating',
    subRunWorkflowPath: 'workflows/sub-run.md',
    subRunParamsDefault: {},
    maxParallelSubRuns: 2,
    failurePolicy: 'halt-on-failure',
    forwardSiblingInsights: true,
  },
};

const parentPort = (): FakeJobPort => {
  const port = new FakeJobPort();
  port.workflows.set('workflows/campaign.md', coordinating);
  port.current = { ...port.current, workflowPath: 'workflows/campaign.md', phase: 'planning' };
  return port;
};

type Call = (name: string, args?: Record<string, unknown>) => ReturnType<typeof callTool>;

const withAgent = async (
  port: FakeJobPort,
  run: (call: Call, listNames: () => Promise<string[]>) => Promise<void>,
  allowed: readonly string[] | null = null,
) => {
  await using served = await serveTools(port, [], true, [], allowed);
  const client = await served.connect();
  await run(
    (name, args) => callTool(client, name, args),
    async () => (await client.listTools()).tools.map((tool) => tool.name),
  );
  assert.equal(served.reported, [], 'no unexpected error was reported');
};

const IN_EVERY_PHASE = [
  'register_sub_run',
  'finalize_sub_runs',
  'sub_run_status',
  'campaign_register_child',
  'campaign_finalize',
  'campaign_status',
];
/** What people decide, unless the phase says that its agent may. */
const ONLY_LISTED = [
  'skip_sub_run',
  'rerun_sub_run',
  'cancel_sub_run',
  'campaign_skip_child',
  'campaign_rerun_child',
  'campaign_cancel_child',
];
const COORDINATOR_ONLY = [...IN_EVERY_PHASE, ...ONLY_LISTED];

const view = (over: Partial<SubRunView> & Pick<SubRunView, 'name'>): SubRunView => ({
  description: 'long',
  params: { lane: 'job' },
  canUnskip: false,
  dependsOn: [],
  trackerRef: null,
  jobId: null,
  status: 'pending',
  startedAt: null,
  completedAt: null,
  attempt: 1,
  reason: null,
  waitsFor: null,
  jobStatus: null,
  tokens: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  unreported: 0,
  ...over,
});

const campaign: Campaign = {
  jobId: 'shop-job-1',
  state: 'halted',
  waitsFor: 'a person: a failed',
  maxParallelSubRuns: 2,
  failurePolicy: 'halt-on-failure',
  subRuns: [
    view({ name: 'a', status: 'failed', attempt: 2, reason: 'no tests' }),
    view({ name: 'b', dependsOn: ['a'], waitsFor: 'waits for a (failed)' }),
  ],
  criticalPath: ['a', 'b'],
  contractDrift: [],
  tokens: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  unreported: 0,
};

test('only a workflow with coordinator.enabled is offered the tools for sub-runs; the conversion is offered always (TOOL-4)', async () => {
  await withAgent(new FakeJobPort(), async (_call, listNames) => {
    const names = await listNames();
    assert.equal(
      COORDINATOR_ONLY.filter((name) => names.includes(name)),
      [],
    );
    assert.ok(names.includes('convert_to_workflow') && names.includes('convert_to_campaign'));
  });
  await withAgent(parentPort(), async (_call, listNames) => {
    const names = await listNames();
    assert.equal(
      COORDINATOR_ONLY.filter((name) => names.includes(name)),
      IN_EVERY_PHASE,
    );
  });
});

test('skip, rerun and cancel are offered only where the tools of the phase list them; a list that leaves others out takes them away (TOOL-4)', async () => {
  const port = parentPort();
  await withAgent(port, async (call) => {
    const { text, isError } = await call('rerun_sub_run', { name: 'a' });
    assert.is(isError, true);
    assert.match(
      text,
      /it is offered only where the key tools of the phase \w+ in the front matter of the workflow lists it/,
    );
  });
  assert.equal(port.coordinated, []);
  const list = ['rerun_sub_run', 'sub_run_status'];
  await withAgent(
    parentPort(),
    async (_call, listNames) => {
      const names = await listNames();
      assert.equal(
        COORDINATOR_ONLY.filter((name) => names.includes(name)),
        ['sub_run_status', 'rerun_sub_run'],
      );
    },
    list,
  );
});

test('elsewhere each of them is refused with the path and the coordinator block of the workflow, and nothing is sent (TOOL-4)', async () => {
  const port = new FakeJobPort();
  await withAgent(port, async (call) => {
    for (const name of COORDINATOR_ONLY) {
      const { text, isError } = await call(name, { name: 'a' });
      assert.is(isError, true, name);
      assert.match(
        text,
        'no permission, nothing was done. workflows/job.md has no coordinator block;',
      );
    }
    const off = {
      ...coordinating,
      coordinator: coordinating.coordinator && { ...coordinating.coordinator, enabled: false },
    };
    port.workflows.set('workflows/job.md', off);
    assert.is(
      (await call('finalize_sub_runs')).text,
      'finalize_sub_runs: no permission, nothing was done. workflows/job.md has coordinator.enabled: false; only a workflow with coordinator.enabled: true may have sub-runs. Use convert_to_workflow to continue with a workflow that may, such as workflows/campaign.md.',
    );
  });
  assert.equal(port.sent, []);
  assert.equal(port.coordinated, []);
});

test('register_sub_run sends the event of the parent and the command of the dispatcher together (TOOL-4 SUB-1)', async () => {
  const port = parentPort();
  const spec = {
    name: 'b',
    description: 'Do b.',
    params: { lane: 'job' },
    dependsOn: ['a'],
    trackerRef: 'SHOP-1',
  };
  await withAgent(port, async (call) => {
    assert.equal(await call('register_sub_run', spec), {
      text: 'Sub-run b is registered. finalize_sub_runs when all are.',
      data: { name: 'b', duplicate: false },
      isError: false,
    });
    await call('register_sub_run', { name: 'a', description: 'Do a.' });
  });
  assert.equal(
    port.coordinated.map(({ event: toolEvent, command }) => [toolEvent, command]),
    [
      [event({ type: 'tool.register_sub_run', name: 'b' }), { type: 'subRuns.register', spec }],
      [
        event({ type: 'tool.register_sub_run', name: 'a' }),
        { type: 'subRuns.register', spec: { name: 'a', description: 'Do a.' } },
      ],
    ],
  );
});

test('a sub-run that depends on itself, a name that is none, and params that belong to people are refused (SUB-1)', async () => {
  const port = parentPort();
  await withAgent(port, async (call) => {
    const self = await call('register_sub_run', { name: 'a', description: 'x', dependsOn: ['a'] });
    assert.is(self.text, 'register_sub_run: nothing was done. a cannot depend on itself.');
    const badName = await call('register_sub_run', { name: '../A', description: 'x' });
    assert.match(badName.text, /^register_sub_run: nothing was done. "name" must match pattern/);
    const owned = await call('register_sub_run', {
      name: 'a',
      description: 'x',
      params: {
        parentJobId: 'other',
        interactive: false,
        autoApprove: ['planning'],
        epicAllowed: true,
        repoSlug: 'other',
      },
    });
    assert.is(
      owned.text,
      'register_sub_run: nothing was done. parentJobId, interactive, autoApprove belong to the runner or to people and cannot be set by an agent; leave them out.',
    );
    const one = await call('register_sub_run', {
      name: 'a',
      description: 'x',
      params: { parentJobId: 'other' },
    });
    assert.match(
      one.text,
      'parentJobId belongs to the runner or to people and cannot be set by an agent; leave it out.',
    );
  });
  await withAgent(
    port,
    async (call) => {
      const large = await call('rerun_sub_run', {
        name: 'a',
        paramsPatch: { notes: 'x'.repeat(17_000) },
      });
      assert.match(
        large.text,
        /^rerun_sub_run: nothing was done. All parameters together would be 170\d\d bytes/,
      );
    },
    ONLY_LISTED,
  );
  assert.equal(port.coordinated, []);
});

test('finalize_sub_runs answers everything that is wrong at once and then does nothing (TOOL-4 SUB-1)', async () => {
  const port = parentPort();
  port.problems = [
    'there is a cycle: a -> b -> a',
    'c: no workflow has the id fast (params.lane); known: job',
  ];
  await withAgent(port, async (call) => {
    const refused = await call('finalize_sub_runs');
    assert.is(
      refused.text,
      [
        'finalize_sub_runs: nothing was done. Fix these with register_sub_run (the same name replaces) and call it again:',
        '- there is a cycle: a -> b -> a',
        '- c: no workflow has the id fast (params.lane); known: job',
      ].join('\n'),
    );
    assert.is(refused.isError, true);
    port.problems = Array.from({ length: 60 }, (_, n) => `problem ${n}`);
    assert.match((await call('finalize_sub_runs')).text, /- problem 49\n- and 10 more$/);
  });
  assert.equal(port.coordinated, []);
});

test('finalize_sub_runs that is taken says what happens next and what a failure would hold up (TOOL-4 SUB-4)', async () => {
  const port = parentPort();
  port.subRuns = campaign;
  port.notes = ['if a fails, b cannot begin until a person decides'];
  await withAgent(port, async (call) => {
    assert.equal(await call('finalize_sub_runs'), {
      text: [
        '2 sub-runs are finalized, at most 2 at once, halt-on-failure on a failure. They start when the job parks.',
        'Tell the people who approve:',
        '- if a fails, b cannot begin until a person decides',
        'End your turn now.',
      ].join('\n'),
      data: { subRuns: ['a', 'b'], criticalPath: ['a', 'b'], notes: port.notes, duplicate: false },
      isError: false,
    });
  });
  assert.equal(
    port.coordinated.map(({ event: toolEvent, command }) => [toolEvent, command]),
    [[event({ type: 'tool.finalize_sub_runs' }), { type: 'subRuns.finalize' }]],
  );
});

test('sub_run_status answers how each one stands and why, without the descriptions (TOOL-4)', async () => {
  const port = parentPort();
  await withAgent(port, async (call) => {
    assert.equal(await call('sub_run_status'), {
      text: 'There are no sub-runs.',
      data: { state: null, subRuns: [] },
      isError: false,
    });
    port.subRuns = campaign;
    const { text, data } = await call('sub_run_status');
    assert.is(
      text,
      [
        'The sub-runs are halted: a person: a failed',
        'a [failed]; attempt 2; no tests',
        'b [pending]; waits for a (failed)',
      ].join('\n'),
    );
    const { subRuns, ...whole } = campaign;
    assert.equal(data, {
      ...whole,
      subRuns: subRuns.map(({ description: _, params: __, ...rest }) => rest),
    });
  });
});

test('skip, rerun and cancel carry their reason, say that the agent asked, and their descriptions leave the decision to people (TOOL-4 TOOL-11)', async () => {
  const port = parentPort();
  await withAgent(
    port,
    async (call) => {
      await call('skip_sub_run', { name: 'a', reason: 'Ann asked' });
      await call('rerun_sub_run', { name: 'a', paramsPatch: { lane: 'job' } });
      await call('rerun_sub_run', { name: 'a' });
      await call('cancel_sub_run', { name: 'a' });
    },
    ONLY_LISTED,
  );
  assert.equal(
    port.coordinated.map(({ event: toolEvent, command }) => [toolEvent, command]),
    [
      [
        event({ type: 'tool.sub_run_command', command: 'skip', name: 'a' }),
        { type: 'subRuns.skip', name: 'a', reason: 'Ann asked', by: 'agent' },
      ],
      [
        event({ type: 'tool.sub_run_command', command: 'rerun', name: 'a' }),
        {
          type: 'subRuns.rerun',
          name: 'a',
          reason: null,
          paramsPatch: { lane: 'job' },
          by: 'agent',
        },
      ],
      [
        event({ type: 'tool.sub_run_command', command: 'rerun', name: 'a' }),
        { type: 'subRuns.rerun', name: 'a', reason: null, by: 'agent' },
      ],
      [
        event({ type: 'tool.sub_run_command', command: 'cancel', name: 'a' }),
        { type: 'subRuns.cancel', name: 'a', reason: null, by: 'agent' },
      ],
    ],
  );
  await using served = await serveTools(parentPort(), [], true, [], ONLY_LISTED);
  const { tools } = await (await served.connect()).listTools();
  const commands = tools.filter(({ name }) => /^(skip|rerun|cancel)_sub_run$/.test(name));
  assert.is(commands.length, 3);
  for (const { name, description } of commands)
    assert.match(description ?? '', 'leaves the decision to people', name);
});

test('convert_to_workflow takes a workflow that coordinates, beginning with its first phase, and merges params after it (TOOL-4 JOB-12)', async () => {
  const port = new FakeJobPort();
  port.workflows.set('workflows/campaign.md', coordinating);
  await withAgent(port, async (call) => {
    const answer = await call('convert_to_workflow', {
      workflowPath: 'workflows/campaign.md',
      params: { epic: 'shop' },
    });
    assert.equal(answer.data, {
      workflowPath: 'workflows/campaign.md',
      toPhase: 'planning',
      duplicate: false,
    });
    const plain = await call('convert_to_workflow', { workflowPath: 'workflows/job.md' });
    assert.is(
      plain.text,
      'convert_to_workflow: nothing was done. workflows/job.md has no coordinator block; only a workflow with coordinator.enabled: true may have sub-runs. Use switch_workflow for it.',
    );
    const missing = await call('convert_to_workflow', { workflowPath: 'workflows/none.md' });
    assert.match(
      missing.text,
      /^convert_to_workflow: nothing was done. workflows\/none.md cannot be used:/,
    );
    const owned = await call('convert_to_workflow', {
      workflowPath: 'workflows/campaign.md',
      params: { epicAllowed: true },
    });
    assert.match(owned.text, /epicAllowed belongs? to the runner/);
  });
  const [convert, params, ...rest] = port.sent;
  assert.equal(
    convert?.event,
    event({
      type: 'tool.convert_to_workflow',
      workflowPath: 'workflows/campaign.md',
      workflow: coordinating,
      toPhase: 'planning',
      reason: 'the work needs several sub-runs',
    }),
  );
  assert.equal(params, {
    event: { type: 'tool.set_job_params', params: { epic: 'shop' } },
    key: `${convert?.key}/params`,
  });
  assert.equal(rest, []);
});

test('the older names do the same, are listed as deprecated and are not shown to agents (TOOL-5)', async () => {
  const port = parentPort();
  port.subRuns = campaign;
  await withAgent(
    port,
    async (call) => {
      await call('campaign_register_child', { name: 'a', description: 'Do a.' });
      await call('campaign_finalize');
      await call('campaign_skip_child', { name: 'a' });
      await call('campaign_rerun_child', { name: 'a' });
      await call('campaign_cancel_child', { name: 'a' });
      await call('convert_to_campaign', { workflowPath: 'workflows/campaign.md' });
      assert.equal(await call('campaign_status'), await call('sub_run_status'));
    },
    [...COORDINATOR_ONLY, 'convert_to_campaign'],
  );
  assert.equal(
    [...port.coordinated, ...port.sent].map(({ event: toolEvent }) => toolEvent.type),
    [
      'tool.register_sub_run',
      'tool.finalize_sub_runs',
      'tool.sub_run_command',
      'tool.sub_run_command',
      'tool.sub_run_command',
      'tool.convert_to_workflow',
    ],
  );
  await using served = await serveTools(
    parentPort(),
    [],
    true,
    [],
    [...COORDINATOR_ONLY, 'convert_to_campaign'],
  );
  const { tools } = await (await served.connect()).listTools();
  const older = tools.filter(
    ({ name }) => name.startsWith('campaign_') || name === 'convert_to_campaign',
  );
  assert.is(older.length, 7);
  for (const { name, description } of older)
    assert.match(description ?? '', /^Deprecated, use [a-z_]+: /, name);
  const prompt = renderToolPrompt([], { coordinates: true });
  for (const { name } of older) assert.not.ok(prompt.includes(name), name);
  for (const name of IN_EVERY_PHASE.slice(0, 3)) {
    assert.ok(prompt.includes(`\`${name}\` {`), name);
    assert.not.ok(renderToolPrompt([]).includes(`\`${name}\``), name);
  }
});

test('what the job refuses is the answer of the tool', async () => {
  const port = parentPort();
  port.receive = async () => ({ ok: false, message: 'the sub-runs are under way' });
  await withAgent(port, async (call) => {
    assert.equal(await call('register_sub_run', { name: 'a', description: 'x' }), {
      text: 'the sub-runs are under way',
      data: {},
      isError: true,
    });
  });
});

test.run();
