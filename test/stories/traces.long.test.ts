// Runs in a process of its own: it starts a runner and kills it.
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildAgentConfig, MODEL } from '../../demo/agents.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { FakeCollector } from '../support/traces/fakeCollector.ts';
import type { DecodedSpan } from '../support/traces/decodeTraceRequest.ts';
import { Story } from '../support/story.ts';

const test = suite('stories: traces');

const WORKFLOW = `
initial_phase: plan
initial_status: planning
phases:
  - { name: plan, agent: agents/planner.md, status: planning, interactive_checkpoint: true }
  - { name: work, agent: agents/worker.md, status: working }
`;

const ONE_PHASE = `
initial_phase: work
initial_status: working
phases:
  - { name: work, agent: agents/worker.md, status: working }
`;

const PLAN = `
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: 'canary-content' });
tool('set_work_items', { items: [{ id: 'a', title: 'canary-title' }] });
`;

const WORK = `
tool('update_work_item', { id: 'a', status: 'in-progress' });
if (!existsSync('go')) { console.log('in the middle'); while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20)); }
git('checkout', '-b', 'change');
writeFileSync('a.txt', 'a');
git('add', 'a.txt');
git('-c', 'user.name=A', '-c', 'user.email=a@svc.invalid', 'commit', '-m', 'a');
tool('local_create_pr', { head: 'change', title: 'A change' });
tool('update_work_item', { id: 'a', status: 'complete' });
`;

/** Spans by id, each once. A span that comes again must be the same one. */
function mergeSpans(spans: readonly DecodedSpan[]): Map<string, DecodedSpan> {
  const merged = new Map<string, DecodedSpan>();
  for (const span of spans) {
    const known = merged.get(span.spanId);
    if (known !== undefined) assert.equal(span, known);
    merged.set(span.spanId, span);
  }
  return merged;
}

/** Names from the root down, such as `invoke_workflow … > phase plan`. */
function listPaths(spans: Map<string, DecodedSpan>): string[] {
  const toPath = (span: DecodedSpan): string => {
    if (span.parentSpanId === undefined) return span.name;
    const parent = spans.get(span.parentSpanId);
    assert.ok(parent, `${span.name} has no parent`);
    return `${toPath(parent)} > ${span.name}`;
  };
  return [...spans.values()].map(toPath).sort();
}

test('a job that a kill -9 cuts has one trace, whose spans have their parents, and nothing of what was written in it', async () => {
  const collector = await new FakeCollector().start();
  const it = new Story({
    workflow: WORKFLOW,
    programs: { planner: PLAN, worker: WORK },
    config: {
      traces: {
        endpoint: collector.url,
        headers: { 'x-login': 'canary-login' },
        link: 'https://tempo.example/trace/{traceId}',
      },
    },
  });
  try {
    await it.runner.start();
    const id = await it.job({ description: 'canary-description' });
    await it.until(id, ({ parked }) => parked?.kind === 'approval', 20_000);
    await it.settled(async () => collector.requests.length + collector.problems.length > 0, 20_000);
    assert.ok(collector.spans.every(({ name }) => !name.startsWith('invoke_workflow')));
    await it.client.resume(id, { eventKey: 'approve' });
    await it.firstLines(id, 'in the middle');
    await it.runner.kill();
    await it.runner.start();
    const { params, trace } = await it.client.job(id);
    it.write(join(String(params.repoCheckoutAbsDir), 'go'), '');
    await it.until(id, ({ ended }) => ended);
    await it.runner.stop();

    assert.equal(collector.problems, []);
    assert.ok(collector.requests.every(({ headers }) => headers['x-login'] === 'canary-login'));
    const spans = mergeSpans(collector.spans);
    assert.equal([...new Set([...spans.values()].map(({ traceId }) => traceId))], [trace?.id]);
    assert.is(trace?.url, `https://tempo.example/trace/${trace?.id}`);
    const root = 'invoke_workflow workflows/story.md';
    const [plan, work] = [`${root} > phase plan`, `${root} > phase work`];
    const [planner, worker] = [
      `${plan} > invoke_agent agents/planner.md`,
      `${work} > invoke_agent agents/worker.md`,
    ];
    assert.equal(
      listPaths(spans).filter((path) => !path.endsWith('wait slot')),
      [
        root,
        plan,
        planner,
        `${planner} > execute_tool post_artifact`,
        `${planner} > execute_tool set_work_items`,
        `${plan} > wait approval`,
        work,
        worker,
        `${worker} > execute_tool local_create_pr`,
        `${worker} > execute_tool local_create_pr > forge create_pr`,
        `${worker} > execute_tool update_work_item`,
        `${worker} > execute_tool update_work_item`,
      ],
    );
    const cut = [...spans.values()].filter(({ events = [] }) => events.length > 0);
    assert.equal(cut.map(({ name, events }) => [name, events?.map((event) => event.name)]).sort(), [
      ['invoke_agent agents/worker.md', ['svc.runner.restarted']],
      [root, ['svc.runner.restarted']],
    ]);
    assert.not.match(JSON.stringify(collector.spans), 'canary');
  } finally {
    await it.end();
    collector.stop();
  }
});

test('calls of a model have their tokens and cost below the session, and tools the time that the agent reports', async () => {
  const tokens = { input: 1_000, output: 200, cached: 100 };
  await using model = await openModelServer({
    scripts: {
      work: [
        { calls: [{ shell: 'echo canary-command' }], tokens },
        { calls: [{ svc: 'add_insight', args: { category: 'a', text: 'canary' } }], tokens },
        { say: 'canary-answer', tokens },
      ],
    },
  });
  const collector = await new FakeCollector().start();
  const it = new Story({
    workflow: ONE_PHASE,
    programs: {},
    tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
    config: {
      ...buildAgentConfig('builtin', { model: model.url, program: null }),
      budgets: { prices: [{ model: '*', input: 10, output: 100 }] },
      traces: { endpoint: `${collector.url}/v1/traces`, serviceName: 'jobs-of-ada' },
    },
  });
  try {
    await it.runner.start();
    const id = await it.job({ description: '@@work' });
    const { status, trace } = await it.until(id, ({ ended }) => ended);
    assert.is(status, 'complete');
    assert.is(trace?.url, null);
    await it.runner.stop();
    assert.equal(collector.problems, []);
    const spans = mergeSpans(collector.spans);
    const root = 'invoke_workflow workflows/story.md';
    const session = `${root} > phase work > invoke_agent agents/worker.md`;
    assert.equal(
      listPaths(spans).filter((path) => path.startsWith(`${session} >`)),
      [
        `${session} > chat ${MODEL}`,
        `${session} > chat ${MODEL}`,
        `${session} > chat ${MODEL}`,
        `${session} > execute_tool Bash`,
        `${session} > execute_tool add_insight`,
      ],
    );
    const calls = [...spans.values()].filter(({ name }) => name.startsWith('chat '));
    assert.equal(
      calls.map(({ attributes }) => [
        attributes['gen_ai.usage.input_tokens'],
        attributes['gen_ai.usage.output_tokens'],
        attributes['gen_ai.usage.cache_read.input_tokens'],
        attributes['svc.cost.usd'],
      ]),
      [1, 2, 3].map(() => [1_000, 200, 100, 0.03]),
    );
    const [agent] = [...spans.values()].filter(({ name }) => name.startsWith('invoke_agent'));
    assert.is(agent?.attributes['svc.session.calls'], 3);
    assert.is(agent?.attributes['gen_ai.usage.input_tokens'], 3_000);
    assert.is(agent?.resource['service.name'], 'jobs-of-ada');
    assert.not.match(JSON.stringify(collector.spans), 'canary');
  } finally {
    await it.end();
    collector.stop();
  }
});

test('a collector that never answers, refuses or lies holds up no job, and gets all spans once it is repaired', async () => {
  const collector = await new FakeCollector().start();
  collector.replies.push('never');
  const it = new Story({
    workflow: ONE_PHASE,
    programs: { worker: `tool('add_insight', { category: 'a', text: 'b' });` },
    config: { traces: { endpoint: collector.url } },
  });
  const runJob = async () => {
    const id = await it.job();
    const { status } = await it.until(id, (job) => job.ended);
    assert.is(status, 'complete');
    return id;
  };
  const isSeen = (count: number) => it.settled(async () => collector.requests.length >= count);
  const repair = () =>
    it.client.updateConfig({ traces: { serviceName: `try-${collector.requests.length}` } });
  try {
    await it.runner.start();
    const first = await runJob();
    await isSeen(1);
    const second = await runJob();
    // The stop ends the request that is not answered.
    await it.runner.stop();
    collector.replies.push(
      { status: 503, headers: { 'retry-after': '3600' } },
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' },
      { status: 401, body: '{"message":"no login"}' },
    );
    await it.runner.start();
    await isSeen(2);
    for (let count = 3; count <= 5; count += 1) {
      const third = it.job();
      await repair();
      await isSeen(count);
      await it.until(await third, (job) => job.ended);
    }
    await it.runner.stop();
    assert.equal(collector.problems, []);
    const takenSpans = collector.requests.slice(4).flatMap(({ spans }) => spans);
    const roots = takenSpans.filter(({ parentSpanId }) => parentSpanId === undefined);
    const jobs = roots.map(({ attributes }) => attributes['svc.job.id']);
    assert.ok(jobs.includes(first) && jobs.includes(second));
    assert.is(new Set(jobs).size, 5);
    assert.match(it.runner.said, 'traces are sent again');
  } finally {
    await it.end();
    collector.stop();
  }
});

test.run();
