import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';

export const DEMO = join(import.meta.dirname, '../../dist/demo/index.js');

/** The demo with flags; answers its outcome without what differs from run to run. */
export const demo = (...flags: string[]): Record<string, unknown> => {
  const run = spawnSync(process.execPath, [DEMO, '--json', ...flags], {
    encoding: 'utf8',
  });
  assert.is(run.status, 0, run.stderr);
  const {
    jobId: _,
    ms: __,
    ...outcome
  } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>;
  return outcome;
};

export const COMPLETE = {
  status: 'complete',
  phases: ['planning', 'coding', 'coding', 'testing', 'evaluation', 'reporting'],
  prs: 1,
  merges: 1,
};
