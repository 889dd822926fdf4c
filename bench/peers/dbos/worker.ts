import { answerCalls } from '../../hostProcess.ts';
import { residentMemory } from '../../memory.ts';
import { monotonicMs } from '../../monotonic.ts';
import { Begun } from '../begun.ts';
import { driverArgs, each, packageFrom, parkedName, type WorkerCalls } from '../driver.ts';
import { CONCURRENT, STEPS } from '../sizes.ts';
import { type Dbos, databaseUrl, type Pg, TOPIC } from './packages.ts';

/** DBOS: a step is `DBOS.runStep`, what is parked waits in `DBOS.recv`. Its settings are stock. */
const args = driverArgs();
const { DBOS }: Dbos = packageFrom(args, '@dbos-inc/dbos-sdk');
const { Client }: Pg = packageFrom(args, 'pg');
/** Longer than any bench, seconds. */
const FAR_SECONDS = 7 * 24 * 3_600;
/** Between two checks whether all that were started wait, ms. */
const LOOK_MS = 50;

const beginnings = new Begun();
const url = databaseUrl(args.ports);

DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' });
const workflow = DBOS.registerWorkflow(
  async () => {
    for (let n = 1; n <= STEPS; n++) await DBOS.runStep(async () => n, { name: `step ${n}` });
  },
  { name: 'workflow' },
);
const waiting = DBOS.registerWorkflow(
  async (name: string) => {
    await DBOS.recv(TOPIC, FAR_SECONDS);
    beginnings.note(name);
  },
  { name: 'waiting' },
);
await DBOS.launch();

async function count(sql: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT count(*) AS n FROM dbos.${sql}`);
    return Number(rows[0]?.['n']);
  } finally {
    await client.end();
  }
}

const countEnded = () => count("workflow_status WHERE name = 'workflow' AND status = 'SUCCESS'");
const stepsDone = () => count("operation_outputs WHERE function_name LIKE 'step %'");
const waits = () => count("operation_outputs WHERE function_name = 'DBOS.sleep'");

const calls: WorkerCalls = {
  async steps(workflows) {
    const before = { ended: await countEnded(), steps: await stepsDone() };
    const start = monotonicMs();
    await each(Array.from({ length: workflows }), CONCURRENT, async () => {
      const handle = await DBOS.startWorkflow(workflow)();
      await handle.getResult();
    });
    const ms = monotonicMs() - start;
    const counts = [(await countEnded()) - before.ended, (await stepsDone()) - before.steps];
    if (counts[0] !== workflows || counts[1] !== workflows * STEPS)
      throw new Error(`${counts[0]} of ${workflows} workflows ended, with ${counts[1]} steps`);
    return ms;
  },
  async park(from, to) {
    const names = Array.from({ length: to - from }, (_, n) => parkedName(from + n));
    await each(names, CONCURRENT, (name) =>
      DBOS.startWorkflow(waiting, { workflowID: name })(name),
    );
    // Each records the end of its waiting just before it waits.
    while ((await waits()) < to) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    return names;
  },
  begun: (count) => beginnings.take(count),
  memory: residentMemory,
};

answerCalls(calls);
