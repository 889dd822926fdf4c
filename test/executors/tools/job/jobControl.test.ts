import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolEvent } from '../../../../machines/job/jobEvents.ts';
import { FakeJobPort, createWorkflow } from '../../../support/http/fakeAgentJob.ts';
import { callTool, serveTools } from '../../../support/agents/toolServer.ts';

type Draft<Event> = Event extends ToolEvent ? Omit<Event, 'visit' | 'session'> : never;
/**
 * What the chart takes, without the fence that the port adds: an event of another shape does not
 * compile.
 */
const event = (draft: Draft<ToolEvent>) => draft;

const test = suite('tools: job control');

const withAgent = async (
  run: (
    call: (name: string, args?: Record<string, unknown>) => ReturnType<typeof callTool>,
    port: FakeJobPort,
  ) => Promise<void>,
) => {
  const port = new FakeJobPort();
  await using served = await serveTools(port);
  const client = await served.connect();
  await run((name, args) => callTool(client, name, args), port);
  assert.equal(served.reported, [], 'no unexpected error was reported');
};

test('set_work_items gives new items a status, no loops and no pull requests, and keeps those of items that exist (TOOL-1)', () =>
  withAgent(async (call, port) => {
    port.current.workItems = [
      { id: 'a', title: 'old', status: 'in-progress', loopCount: 3, prIds: ['local:shop#1'] },
    ];
    const { isError } = await call('set_work_items', {
      items: [
        { id: 'a', title: 'A', status: 'complete' },
        { id: 'b', title: 'B' },
      ],
    });
    assert.is(isError, false);
    assert.equal(
      port.sent.map((one) => one.event),
      [
        event({
          type: 'tool.set_work_items',
          items: [
            { id: 'a', title: 'A', status: 'complete', loopCount: 3, prIds: ['local:shop#1'] },
            { id: 'b', title: 'B', status: 'pending', loopCount: 0, prIds: [] },
          ],
        }),
      ],
    );
  }));

test('set_work_items refuses an id that stands twice and two items in progress, naming them (TOOL-1)', () =>
  withAgent(async (call, port) => {
    const twice = await call('set_work_items', {
      items: [
        { id: 'a', title: 'A' },
        { id: 'a', title: 'B' },
      ],
    });
    assert.equal(twice, {
      text: 'set_work_items: nothing was done. Each id may occur only once; duplicates: a.',
      data: {},
      isError: true,
    });
    const both = await call('set_work_items', {
      items: [
        { id: 'a', title: 'A', status: 'in-progress' },
        { id: 'b', title: 'B', status: 'in-progress' },
      ],
    });
    assert.equal(
      both.text,
      'set_work_items: nothing was done. At most one item may be in-progress; here: a, b.',
    );
    assert.equal(port.sent, []);
  }));

test('update_work_item sends only what changes; an unknown item is named together with those there are (TOOL-1)', () =>
  withAgent(async (call, port) => {
    port.current.workItems = [{ id: 'a', title: 'A', status: 'pending', loopCount: 0, prIds: [] }];
    await call('update_work_item', { id: 'a', status: 'in-progress' });
    assert.equal(
      port.sent[0]?.event,
      event({ type: 'tool.update_work_item', id: 'a', status: 'in-progress' }),
    );
    const unknown = await call('update_work_item', { id: 'x', status: 'complete' });
    assert.equal(
      unknown.text,
      'update_work_item: there is no work item "x". The items are: a. set_work_items adds one.',
    );
    const empty = await call('update_work_item', { id: 'a' });
    assert.equal(
      empty.text,
      'update_work_item: nothing was done. Give at least one of status, title, prIds.',
    );
    assert.is(port.sent.length, 1);
  }));

test('get_work_items answers the items as data and as lines (TOOL-1)', () =>
  withAgent(async (call, port) => {
    const item = {
      id: 'a',
      title: 'Login',
      status: 'in-progress' as const,
      loopCount: 1,
      prIds: [],
    };
    port.current = { ...port.current, workItems: [item], currentWorkItem: 'a' };
    assert.equal(await call('get_work_items'), {
      text: 'a [in-progress] Login',
      data: { items: [item], currentWorkItem: 'a' },
      isError: false,
    });
  }));

test('signals reach the chart with every field, left-out ones as null or empty (TOOL-1)', () =>
  withAgent(async (call, port) => {
    await call('request_new_session');
    await call('request_new_session', { prompt: 'continue with b' });
    await call('goto_phase', { phase: 'testing' });
    await call('goto_phase', { phase: 'planning', reason: 'the plan was wrong' });
    await call('await_event');
    await call('await_event', { kinds: ['merged'], prId: 'local:shop#1', resumePhase: 'testing' });
    await call('escalate', { message: 'no access' });
    await call('set_job_params', { params: { lane: 'fast' } });
    assert.equal(
      port.sent.map((one) => one.event),
      [
        event({ type: 'tool.request_new_session', prompt: null }),
        event({ type: 'tool.request_new_session', prompt: '> continue with b' }),
        event({ type: 'tool.goto_phase', phase: 'testing', reason: '' }),
        event({ type: 'tool.goto_phase', phase: 'planning', reason: 'the plan was wrong' }),
        event({ type: 'tool.await_event', kinds: null, prId: null, resumePhase: null }),
        event({
          type: 'tool.await_event',
          kinds: ['merged'],
          prId: 'local:shop#1',
          resumePhase: 'testing',
        }),
        event({ type: 'tool.escalate', message: 'no access' }),
        event({ type: 'tool.set_job_params', params: { lane: 'fast' } }),
      ],
    );
  }));

test('a phase that the workflow does not have is refused with the phases it has (TOOL-1)', () =>
  withAgent(async (call, port) => {
    const goto = await call('goto_phase', { phase: 'shipping' });
    assert.equal(
      goto.text,
      '"phase": workflows/job.md has no phase "shipping". Its phases: planning, coding, testing.',
    );
    const wait = await call('await_event', { resumePhase: 'shipping' });
    assert.equal(
      wait.text,
      '"resumePhase": workflows/job.md has no phase "shipping". Its phases: planning, coding, testing.',
    );
    assert.equal(port.sent, []);
  }));

test('set_job_params refuses what belongs to the runner or to people, and what would not fit (TOOL-1)', () =>
  withAgent(async (call, port) => {
    const owned = await call('set_job_params', {
      params: {
        parentJobId: 'x',
        repoCheckoutAbsDir: '/',
        autoApprove: ['planning'],
        lane: 'fast',
      },
    });
    assert.is(
      owned.text,
      'set_job_params: nothing was done. parentJobId, repoCheckoutAbsDir, autoApprove belong to the runner or to people and cannot be set by an agent; leave them out.',
    );
    const large = await call('set_job_params', { params: { notes: 'x'.repeat(17_000) } });
    assert.match(large.text, /would be 170\d\d bytes, and 16384 are allowed/);
    assert.equal(port.sent, []);
  }));

test('log writes each line with its tag (TOOL-1)', () =>
  withAgent(async (call, port) => {
    const { data } = await call('log', { message: 'one\n\ntwo', tag: 'build' });
    assert.equal(data, { lines: 2 });
    assert.equal(port.lines, [
      { line: 'one', tag: 'build' },
      { line: 'two', tag: 'build' },
    ]);
  }));

test('switch_workflow takes any workflow that parses, beginning with its initial phase or the one named (TOOL-9)', () =>
  withAgent(async (call, port) => {
    const bugfix = createWorkflow('triage', 'fix');
    port.workflows.set('workflows/bugfix.md', bugfix);
    await call('switch_workflow', { workflowPath: 'workflows/bugfix.md' });
    const answer = await call('switch_workflow', {
      workflowPath: 'workflows/bugfix.md',
      toPhase: 'fix',
      reason: 'it is a bug',
    });
    assert.equal(answer.data, {
      workflowPath: 'workflows/bugfix.md',
      toPhase: 'fix',
      duplicate: false,
    });
    assert.equal(
      port.sent.map((one) => one.event),
      [
        event({
          type: 'tool.switch_workflow',
          workflowPath: 'workflows/bugfix.md',
          workflow: bugfix,
          toPhase: 'triage',
          reason: '',
        }),
        event({
          type: 'tool.switch_workflow',
          workflowPath: 'workflows/bugfix.md',
          workflow: bugfix,
          toPhase: 'fix',
          reason: 'it is a bug',
        }),
      ],
    );
  }));

test('switch_workflow says what is wrong with a target that does not resolve or lacks the phase (TOOL-9)', () =>
  withAgent(async (call, port) => {
    const missing = await call('switch_workflow', { workflowPath: 'workflows/none.md' });
    assert.is(
      missing.text,
      'switch_workflow: nothing was done. workflows/none.md cannot be used: The workflow workflows/none.md does not exist.',
    );
    assert.is(missing.isError, true);
    const phase = await call('switch_workflow', {
      workflowPath: 'workflows/job.md',
      toPhase: 'fix',
    });
    assert.is(
      phase.text,
      'switch_workflow: nothing was done. workflows/job.md has no phase "fix". Its phases: planning, coding, testing; initial_phase is planning.',
    );
    assert.equal(port.sent, []);
  }));

test.run();
