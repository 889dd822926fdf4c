import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { Guardrails } from '../../../src/policy/guardrails/guardrails.ts';
import { readScriptRules } from '../../../src/policy/guardrails/readScriptRules.ts';
import type { Kernel } from '../../../src/contract/records/changes.ts';
import type { GuardrailEntry } from '../../../src/contract/schema/policy/guardrail.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

/** Guardrails on a store in memory, with a folder of scripts. */
export async function guardrailStage(
  rules: readonly GuardrailEntry[] = [],
  { enabled = true, uid = process.getuid?.() } = {},
) {
  const store = memoryStore();
  const clock = new SimulatedClock();
  const scriptsDir = mkdtempSync(join(tmpdir(), 'guardrails-'));
  const kernel: Kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [],
    ports: {},
    clock,
  });
  await kernel.start();
  const lines: unknown[] = [];
  const settings = { guardrails: { enabled, rules } };
  let ticks = 0;
  const guardrails = new Guardrails({
    settings,
    rows: store.rows,
    writeRows: async (changes) => {
      await kernel.submit({ rows: changes });
    },
    scripts: () => readScriptRules(scriptsDir, uid),
    now: () => clock.now(),
    measureElapsed: () => {
      ticks += 1;
      return ticks;
    },
    screen: (text) => text.replaceAll('hunter2', '[secret]'),
    log: { warn: (...args: unknown[]) => void lines.push(args), error: () => undefined },
  });
  return {
    guardrails,
    settings,
    rows: store.rows,
    store,
    clock,
    lines,
    scriptsDir,
    script: (name: string, text: string, declaration: object, mode = 0o700) => {
      const file = join(scriptsDir, name);
      writeFileSync(file, text, { mode });
      writeFileSync(join(scriptsDir, `${name.split('.')[0]}.json`), JSON.stringify(declaration), {
        mode: 0o600,
      });
      return file;
    },
  };
}
