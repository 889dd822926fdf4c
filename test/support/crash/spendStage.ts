import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildAgentConfig } from '../../../demo/agents.ts';
import {
  type ModelOptions,
  type ModelServer,
  openModelServer,
} from '../../../demo/model/server.ts';
import { makeSampleRepository } from '../../../demo/sampleRepository.ts';
import type { Client } from '../../../src/api/client/client.ts';
import type { BudgetView } from '../../../src/contract/schema/policy/budget.ts';
import type { Job } from '../../../src/contract/schema/job/job.ts';
import { MortalRunner } from './mortalRunner.ts';
import { PATIENCE_MS } from '../inTime.ts';

const BIN = join(import.meta.dirname, '..', '..', '..', 'cli', 'bin', 'run.js');
/** Between two looks at a job, ms. */
const PAUSE_MS = 20;

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

const SCRIPTS = {
  spender: [
    { say: 'One.', calls: [{ shell: 'true' }] },
    { say: 'Two.', calls: [{ shell: 'true' }] },
    { say: 'Three.' },
  ],
};
export const CALLS = SCRIPTS.spender.length;
const PRICE = { input: 3, output: 15 };

const BODY = {
  type: 'job',
  workflowPath: 'workflows/spend.md',
  params: { repoSlug: 'titles', description: 'Spend' },
};

/** Tokens in and out of one answer, as the endpoint has reported them. */
interface ReportedTokens {
  input: number;
  output: number;
}

export interface Totals {
  calls: number;
  tokens: number;
  microUsd: number;
}

export const sumReported = (calls: readonly ReportedTokens[]): Totals => ({
  calls: calls.length,
  tokens: calls.reduce((sum, { input, output }) => sum + input + output, 0),
  microUsd: calls.reduce(
    (sum, { input, output }) => sum + input * PRICE.input + output * PRICE.output,
    0,
  ),
});

export interface Spent {
  ledger: Totals;
  points: string[];
  reported: ReportedTokens[];
  /** Those of them before a person did something. */
  before: ReportedTokens[];
  budgets: BudgetView[];
}

/** Does what a job that rests waits for, if it does; called again after a crash. */
export type Person = (client: Client, job: Job) => Promise<void>;

/** A real runner with a scripted model, and a job that asks it; closed by `close`. */
export async function openSpendStage(
  budgets: Record<string, unknown>,
  person?: Person,
  refusal: ModelOptions['refusal'] = () => null,
) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-spend-crash-'));
  const model: ModelServer = await openModelServer({ scripts: SCRIPTS, refusal });
  const tenant = join(dir, 'tenant');
  for (const [path, text] of Object.entries(TENANT)) {
    mkdirSync(dirname(join(tenant, path)), { recursive: true });
    writeFileSync(join(tenant, path), text);
  }
  const config = {
    ...buildAgentConfig('builtin', { model: model.url, program: null }),
    tenant: { overlay: { kind: 'localDir', path: tenant } },
    forges: { local: { repos: { titles: makeSampleRepository(dir) } } },
    budgets: { prices: [{ model: '*', ...PRICE }], ...budgets },
  };
  const since = (first: number): ReportedTokens[] =>
    model.requests.played
      .filter(({ number, reported }) => number > first && reported !== null)
      .map(({ reported }) => reported ?? { input: 0, output: 0 });

  /** Plays a job to its end, with a death on the way; the runner is started again after it. */
  async function play(name: string, dieAt?: string): Promise<Spent> {
    const home = join(dir, name);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    const first = model.requests.all.length;
    const countFile = join(home, 'points');
    const runner = new MortalRunner(home, BIN);
    await runner.start(dieAt === undefined ? { countFile } : { dieAt, countFile });
    let before: ReportedTokens[] | null = null;
    /** Another step of the play; what was found once the job has ended. */
    const step = async (): Promise<Pick<Spent, 'ledger' | 'budgets'> | null> => {
      const { client } = runner;
      const { jobId } = await client.createJob(BODY, { idempotencyKey: 'create' });
      const job = await client.job(jobId);
      if (job.parked !== null) before ??= since(first);
      if (!job.ended) {
        await person?.(client, job);
        return null;
      }
      const { sum } = await client.costs({ job: jobId });
      const ledger = {
        calls: sum.calls,
        tokens: sum.inputTokens + sum.outputTokens,
        microUsd: Math.round((sum.usd ?? 0) * 1e6),
      };
      return { ledger, budgets: (await client.budgets({ job: jobId })).budgets };
    };
    let over = null;
    for (const deadline = Date.now() + PATIENCE_MS; over === null; ) {
      over = await step().catch(async (error: unknown) => {
        if (Date.now() > deadline) throw error;
        if (runner.ending !== null) await runner.start();
        return null;
      });
      if (Date.now() > deadline)
        throw new Error(`the job does not end; the runner: ${runner.said}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    await runner.kill();
    const points = readFileSync(countFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    const reported = since(first);
    return { ...over, points, reported, before: before ?? reported };
  }

  return {
    play,
    async close(): Promise<void> {
      await model.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What must be in the ledger after a death at this point: an answer may have come unwritten. */
export function knownAfter(point: string, reported: readonly ReportedTokens[]): ReportedTokens[] {
  const lost = /^commit:usage_calls:before#(\d+)/.exec(point)?.[1];
  return reported.filter((_, n) => lost === undefined || n !== Number(lost) - 1);
}
