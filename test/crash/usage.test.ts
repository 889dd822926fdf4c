import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { agentConfig } from '../../demo/agents.ts';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import { type ModelServer, openModelServer } from '../../demo/model/server.ts';
import type { Client } from '../../src/client/client.ts';
import { MortalRunner } from '../support/crash/mortalRunner.ts';

const test = suite('crashes: the ledger of calls');

const BIN = join(import.meta.dirname, '..', '..', 'cli', 'bin', 'run.js');
/** Every how many of the points is played; 1 = all. */
const EVERY = Number(process.env.SVC_USAGE_CRASHES ?? 3);
/** Longest wait for the end of a job, ms. */
const PATIENCE_MS = 60_000;

const TENANT: Readonly<Record<string, string>> = {
  'workflows/spend.md': `---
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/spender.md, status: coding }
---

A workflow.
`,
  'agents/spender.md': '---\ndescription: spends\n---\n\n@@spender\n',
};

/** Three calls of a model in one session. */
const SCRIPTS = {
  spender: [
    { say: 'One.', calls: [{ shell: 'true' }] },
    { say: 'Two.', calls: [{ shell: 'true' }] },
    { say: 'Three.' },
  ],
};
const PRICE = { input: 3, output: 15 };

const ended = async (client: Client, id: string): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const { ended: isOver, state } = await client.job(id);
    if (isOver) return;
    if (Date.now() > deadline) throw new Error(`the job does not end; it is ${state.join()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** What the endpoint has reported of each answer since a request, in its order. */
const reportedSince = (model: ModelServer, first: number) =>
  model.requests.played
    .filter(({ number, reported }) => number > first && reported !== null)
    .map(({ reported }) => reported ?? { input: 0, output: 0, cached: 0 });

interface Totals {
  calls: number;
  tokens: number;
  microUsd: number;
}

const totalOf = (calls: readonly { input: number; output: number }[]): Totals => ({
  calls: calls.length,
  tokens: calls.reduce((sum, { input, output }) => sum + input + output, 0),
  microUsd: calls.reduce(
    (sum, { input, output }) => sum + input * PRICE.input + output * PRICE.output,
    0,
  ),
});

const ledgerOf = async (client: Client, job: string): Promise<Totals> => {
  const { calls, inputTokens, outputTokens, usd } = (await client.costs({ job })).sum;
  return { calls, tokens: inputTokens + outputTokens, microUsd: Math.round((usd ?? 0) * 1e6) };
};

test('killed around the record of a call: the ledger is what the endpoint has reported, but for an answer that was not recorded (JOB-11)', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-usage-crash-'));
  const model = await openModelServer({ scripts: SCRIPTS });
  const tenant = join(dir, 'tenant');
  for (const [path, text] of Object.entries(TENANT)) {
    mkdirSync(dirname(join(tenant, path)), { recursive: true });
    writeFileSync(join(tenant, path), text);
  }
  const config = {
    ...agentConfig('builtin', { model: model.url, program: null }),
    tenant: { overlay: { kind: 'localDir', path: tenant } },
    forges: { local: { repos: { titles: makeSampleRepository(dir) } } },
    budgets: { prices: [{ model: '*', ...PRICE }] },
  };
  /** Plays a job to its end, with a death on the way. */
  const play = async (name: string, dieAt?: string) => {
    const home = join(dir, name);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    const first = model.requests.all.length;
    const countFile = join(home, 'points');
    const runner = new MortalRunner(home, BIN);
    await runner.start(dieAt === undefined ? { countFile } : { dieAt, countFile });
    const { jobId } = await runner.client.createJob({
      type: 'job',
      workflowPath: 'workflows/spend.md',
      params: { repoSlug: 'titles', description: 'Spend' },
    });
    if (dieAt !== undefined) {
      await runner.ended;
      await runner.start();
    }
    await ended(runner.client, jobId);
    const ledger = await ledgerOf(runner.client, jobId);
    await runner.kill();
    const points = readFileSync(countFile, 'utf8').trim().split('\n');
    return { ledger, points, reported: reportedSince(model, first) };
  };
  try {
    const whole = await play('whole');
    assert.is(whole.ledger.calls, SCRIPTS.spender.length);
    assert.equal(whole.ledger, totalOf(whole.reported));
    const points = whole.points
      .map((line) => line.split(' ')[1] ?? '')
      .filter((point) => /usage_calls|session\.ended/.test(point));
    assert.ok(points.length >= 8, points.join(' '));
    for (const [index, point] of points.entries()) {
      if (index % EVERY !== 0) continue;
      const { ledger, reported } = await play(`at-${index}`, point);
      // The answer had come, and nothing of it was written.
      const lost = /^commit:usage_calls:before#(\d)/.exec(point)?.[1];
      const known = reported.filter((_, n) => lost === undefined || n !== Number(lost) - 1);
      assert.equal(ledger, totalOf(known), point);
    }
  } finally {
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

test.run();
