import { setTimeout as wait } from 'node:timers/promises';
import { under } from '../figure.ts';
import { SPEAKING_WORKFLOW_PATH } from '../benchWorkflow.ts';
import { writeHome } from '../home.ts';
import { HostProcess } from '../hostProcess.ts';
import type { RunnerHostCalls } from '../hosts/runnerHost.ts';
import { HttpConnection, requestBytes } from '../httpConnection.ts';
import { percentile } from '../statistics.ts';
import { StreamReader } from '../streamReader.ts';
import type { Row } from './row.ts';

const JOBS = 10;
const READERS = 50;
const LINES_PER_SECOND = 50;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;
/** How long the last lines may take before they count as lost, ms. */
const PATIENCE_MS = 5_000;

async function startJobs(host: HostProcess<RunnerHostCalls>, port: number): Promise<string[]> {
  const connection = await HttpConnection.open(port);
  const ids: string[] = [];
  for (let n = 0; n < JOBS; n++) {
    const body = {
      type: 'job',
      workflowPath: SPEAKING_WORKFLOW_PATH,
      params: { description: 'speak' },
    };
    const reply: { jobId: string } = JSON.parse(
      await connection.ask(requestBytes('POST', '/jobs', body)),
    );
    ids.push(reply.jobId);
  }
  connection.close();
  while ((await host.call('sessions')) < JOBS) await wait(20);
  return ids;
}

/** Age of agents' lines, each committed before it is sent, at many readers of every job. */
export const streamsRow: Row = {
  figures: ['sse.p99', 'sse.growth'],
  async measure(lab, note) {
    const home = lab.folder('streams');
    writeHome(home);
    await using host = await HostProcess.start<RunnerHostCalls>(lab, 'runnerHost', home);
    const port = await host.call('port');
    const ids = await startJobs(host, port);
    const ages: number[] = [];
    const readers: StreamReader[] = [];
    for (const id of ids)
      for (let n = 0; n < READERS; n++) readers.push(await StreamReader.open(port, id, ages));

    await host.call('speak', LINES_PER_SECOND, WARM_UP_MS);
    await wait(200);
    ages.length = 0;
    const before = await host.call('memory');
    const cpu = await host.call('cpu');
    const lines = await host.call('speak', LINES_PER_SECOND, MEASURED_MS);
    for (
      const deadline = performance.now() + PATIENCE_MS;
      ages.length < lines * READERS;
      await wait(20)
    ) {
      if (performance.now() > deadline)
        throw new Error(`${lines * READERS - ages.length} of ${lines * READERS} lines were lost`);
    }
    const busy = ((await host.call('cpu')) - cpu) / MEASURED_MS;
    const after = await host.call('memory');
    for (const reader of readers) reader.close();
    note(
      `${ages.length} lines received, p50 ${percentile(ages, 50).toFixed(1)} ms; the runner used ${Math.round(busy * 100)} % of a core`,
    );
    return {
      'sse.p99': under({ value: percentile(ages, 99), unit: 'ms', target: 30 }),
      'sse.growth': under({
        value: (after.heap - before.heap) / 1024 / 1024,
        unit: 'MiB',
        target: 2,
      }),
    };
  },
};
