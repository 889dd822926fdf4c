import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endMarkedProcesses } from '../executors/process/endMarkedProcesses.ts';
import { MARKER_VARIABLE } from '../executors/process/processTable.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ConformanceCase, ConformanceReport } from '../contract/schema/runner/plugin.ts';
import { CASE_MS } from './conformance/expect.ts';
import { buildPlainEnv } from './process/askPlugin.ts';
import { parseCase } from './process/pluginAnswers.ts';
import { PluginProcess, type PluginProgram } from './process/pluginProcess.ts';
import type { Order } from './process/protocol.ts';

/** How long its process may be silent, ms; after that it is busy and receives nothing. */
const SILENCE_MS = CASE_MS + 5_000;

export interface TestPluginOptions {
  program: PluginProgram;
  order: Omit<Order, 'task'>;
  /** Why its settings do not fit, so that its samples are needed; null = they fit. */
  problem: string | null;
  hostEnv: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  screen(text: string): string;
  /** Longest silence of its process, ms; default a case and 5 s. */
  silenceMs?: number;
}

/**
 * Runs the conformance kit against a plugin in its own process; if it hangs or ends, the current
 * case fails.
 */
export async function testPlugin(options: TestPluginOptions): Promise<ConformanceReport> {
  const { program, hostEnv, clock, screen, silenceMs = SILENCE_MS } = options;
  const { id } = options.order.manifest;
  const cases: ConformanceCase[] = [];
  const now = { name: 'plugin-loads', promise: 'Its entry can be loaded.' };
  let open = true;
  let stopWatch = (): void => {};
  const dir = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  const marker = `${dir}#`;
  try {
    const plugin = new PluginProcess({
      program,
      clock,
      cwd: dir,
      order: { ...options.order, task: { op: 'test', dir, problem: options.problem } },
      env: { ...buildPlainEnv(hostEnv), [MARKER_VARIABLE]: marker },
      onReport(report) {
        watch();
        if (report.report === 'begin') {
          Object.assign(now, { name: report.name, promise: report.promise });
          open = true;
        } else if (report.report === 'case') {
          const one = parseCase(report.case);
          if (one) cases.push({ ...one, detail: screen(one.detail) });
          open = one === null;
        }
      },
    });
    const watch = () => {
      stopWatch();
      const busy = `It did not respond for ${silenceMs / 1000} s: an endless loop.`;
      stopWatch = clock.at(clock.now() + silenceMs, () => void plugin.end(busy, 0));
    };
    watch();
    const ending = await plugin.ending;
    if ('error' in ending && open)
      cases.push({ ...now, outcome: 'failed', detail: screen(ending.error) });
    return {
      id,
      passed: cases.every(({ outcome }) => outcome !== 'failed') && 'answer' in ending,
      cases,
    };
  } finally {
    stopWatch();
    // Ends sessions of the kit that were left behind.
    await endMarkedProcesses(clock, (one) => one.startsWith(marker), 0);
    await rm(dir, { recursive: true, force: true });
  }
}
