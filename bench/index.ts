import { kernelStepRate } from './kernelSteps.ts';
import { rawCommitRate } from './rawCommits.ts';

/** One figure of the table: `ratio` is to B of the same minute. */
interface Figure {
  value: number;
  unit: string;
  ratio: number;
  target: number;
  ok: boolean;
}

const ROUNDS = 7;
/** Durable steps a second of the bare kernel, as a multiple of B. */
const STEPS_TARGET = 1.6;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function measure(): Promise<{ figures: Record<string, Figure>; raw: number }> {
  // The first round pays for loading and compiling.
  rawCommitRate(100);
  await kernelStepRate(300);
  const raw: number[] = [];
  const steps: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = rawCommitRate(300);
    const rate = await kernelStepRate(1_000);
    const after = rawCommitRate(300);
    const base = (before + after) / 2;
    raw.push(base);
    steps.push(rate);
    ratios.push(rate / base);
  }
  const ratio = median(ratios);
  return {
    raw: median(raw),
    figures: {
      'kernel.steps': { value: Math.round(median(steps)), unit: '/s', ratio, target: STEPS_TARGET, ok: ratio >= STEPS_TARGET },
    },
  };
}

const { figures, raw } = await measure();
if (process.argv.includes('--json')) {
  console.log(JSON.stringify(figures));
} else {
  console.log(`B (raw one-row commits, WAL, FULL): ${Math.round(raw)}/s`);
  for (const [name, { value, unit, ratio, target, ok }] of Object.entries(figures)) {
    console.log(
      `${name.padEnd(20)} ${String(value).padStart(8)} ${unit.padEnd(4)} ${ratio.toFixed(2)} B  target ${target} B  ${ok ? 'ok' : 'MISSED'}`,
    );
  }
}
if (Object.values(figures).some(({ ok }) => !ok)) process.exitCode = 1;
