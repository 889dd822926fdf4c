import { spawnSync } from 'node:child_process';
import { type Figure, under } from '../figure.ts';
import { richHome } from '../richHome.ts';
import { RunnerUnderTest } from '../runnerUnderTest.ts';
import { median } from '../statistics.ts';
import type { Row } from './row.ts';

const ROUNDS = 15;

const TARGETS: Readonly<Record<string, { args: string[]; target: number }>> = {
  'cli.version': { args: ['--version'], target: 1.2 },
  'cli.help': { args: ['--help'], target: 2.6 },
  'cli.jobs': { args: ['jobs'], target: 4 },
};

/** How long a program takes, ms. Throws where it fails. */
function time(args: readonly string[], home: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, SVC_HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  const spent = performance.now() - start;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return spent;
}

/** Commands compared with the start of node itself, in sequence in every round. */
export const commandLineRow: Row = {
  figures: Object.keys(TARGETS),
  async measure(lab, note) {
    const { home } = await richHome(lab);
    const program = await lab.program();
    const runner = await RunnerUnderTest.start(program, home);
    try {
      const bare: number[] = [];
      const spent = new Map(
        Object.keys(TARGETS).map((name): [string, { ms: number; ratio: number }[]] => [name, []]),
      );
      for (let round = 0; round <= ROUNDS; round++) {
        const base = time(['-e', '0'], home);
        // The first round fills the caches of the disk.
        if (round > 0) bare.push(base);
        for (const [name, { args }] of Object.entries(TARGETS)) {
          const ms = time([program, ...args], home);
          if (round > 0) spent.get(name)?.push({ ms, ratio: ms / base });
        }
      }
      note(`node -e 0: ${Math.round(median(bare))} ms`);
      const figures: Record<string, Figure> = {};
      for (const [name, { target }] of Object.entries(TARGETS)) {
        const rounds = spent.get(name) ?? [];
        const value = median(rounds.map(({ ms }) => ms));
        figures[name] = under({
          value,
          unit: 'ms',
          ratio: median(rounds.map(({ ratio }) => ratio)),
          target,
        });
      }
      return figures;
    } finally {
      await runner.end('SIGTERM');
    }
  },
};
