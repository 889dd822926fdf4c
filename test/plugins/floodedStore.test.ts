import { NO_BACKLOG } from '../../src/base/concurrency/backlog.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart, subRunsChart } from '../../machines/index.ts';
import { createKernel } from '../../src/kernel/kernel.ts';
import { openStore } from '../../src/jobs/store/openStore.ts';
import { createLog } from '../../src/base/system/log/log.ts';
import { createJobLog } from '../../src/host/runner/jobLog.ts';
import { createSessionLog } from '../../src/sessions/open/createSessionLog.ts';
import { prepare } from '../support/agents/sessionRequest.ts';
import { JOB_WORKFLOW } from '../support/charts/jobSteps.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { greeter, PluginHome } from '../support/pluginFolder.ts';

const test = suite('a flood of an installed executor, measured in the store');

const JOB = 'shop-job-1';
const OUTPUT_BYTES = 65_536;
/** What every event and every line counts beside its bytes. */
const LINE_COST_BYTES = 64;
/** Most bytes that a row has beside the text of its line: who, when and where, as JSON. */
const ROW_BYTES = 200;
/** What the pages of a database have beside the data of its rows, measured: indexes, free space. */
const FILE_FACTOR = 2;
/** Most bytes of the file of a store without a job. */
const EMPTY_BYTES = 1_310_720;

/** What each session sends without end; \`n\` counts the events. */
const FLOODS: Readonly<Record<string, string>> = {
  'lines of output': "{ type: 'log', stream: 'stdout', line: 'x' }",
  'one piece of text with many lines': "{ type: 'token', text: 'a\\n'.repeat(20000) }",
  'one line of output with line ends in it':
    "{ type: 'log', stream: 'stderr', line: 'a\\n'.repeat(20000) }",
  'calls of tools with long names':
    "{ type: 'tool', at: 'start', id: String(n), name: 'n'.repeat(9000), ok: true, detail: '' }",
  'turns that end with an error': "{ type: 'turn', stopReason: 'error', error: 'e'.repeat(9000) }",
  'counts of tokens':
    "{ type: 'usage', usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 } }",
};

const flooding = greeter().replace(
  'async run(request) {',
  `async run(request) { const flood = { ${Object.entries(FLOODS)
    .map(([name, event]) => `${JSON.stringify(name)}: (n) => (${event})`)
    .join(', ')} }[request.kickoff]; for (let n = 0; n < 3000; n++) request.onEvent(flood(n));`,
);

/** A job in a store on the disk, and its log. */
async function storedJob(dir: string) {
  const file = join(dir, 'state.db');
  const store = openStore({ file, pid: 1, now: 0 });
  const { durable } = store;
  const clock = new SimulatedClock();
  const nothing = async () => {};
  const kernel = createKernel({
    screen: null,
    store: durable,
    charts: [jobChart, subRunsChart],
    clock,
    ports: { 'phase.prepare': nothing },
  });
  await kernel.start();
  const input = {
    id: JOB,
    type: 'job',
    tenantId: 'solo-test',
    workflowPath: 'workflows/job.md',
    workflow: JOB_WORKFLOW,
    params: {},
    interactive: true,
    limits: { gateBlocks: 5, sessionsPerVisit: 10 },
    createdAt: 0,
  };
  await kernel.submit({ starts: [{ chart: jobChart.id, id: JOB, input }] });
  const log = createLog(2, 'warn');
  const { logLines } = createJobLog({ kernel, clock, log, screen: (text) => text });
  const frames = () => durable.frames(JOB, 0, Number.MAX_SAFE_INTEGER);
  /** The size of the file once the store is closed, bytes. */
  const closeStore = () => {
    store.close();
    return statSync(file).size;
  };
  return { logLines, frames, closed: closeStore };
}

test('rows and bytes stay within the output limit, whatever is sent', async () => {
  using home = new PluginHome();
  const host = await home.host();
  await host.install({ spec: home.executorTarball('it', flooding) });
  const executor = host.executors().find(({ id }) => id === 'it');
  const job = await storedJob(home.dir);
  let storedBytes = 0;
  for (const name of Object.keys(FLOODS)) {
    const before = job.frames().length;
    const keep = createSessionLog(
      (lines) => job.logLines({ jobId: JOB, phase: 'coding', visit: 1 }, [...lines]),
      NO_BACKLOG,
    );
    await using session = await prepare(null, {
      kickoff: name,
      limits: { timeMs: 20_000, outputBytes: OUTPUT_BYTES },
      onEvent: keep,
    });
    const result = await (await executor?.run(session.request))?.result;
    assert.is(result?.stopReason, 'limit', name);
    const frames = job.frames().slice(before);
    const bytes = frames.reduce((sum, frame) => sum + Buffer.byteLength(JSON.stringify(frame)), 0);
    const rows = OUTPUT_BYTES / LINE_COST_BYTES + 1;
    assert.ok(frames.length <= rows, `${name}: ${frames.length} rows`);
    assert.ok(bytes <= OUTPUT_BYTES + frames.length * ROW_BYTES, `${name}: ${bytes} bytes`);
    storedBytes += bytes;
  }
  const size = job.closed();
  const most = EMPTY_BYTES + storedBytes * FILE_FACTOR;
  assert.ok(size <= most, `the file has ${size} bytes for ${storedBytes} bytes of rows`);
});

test.run();
