import type { Check } from './check.ts';
import { runTool } from './process.ts';

/**
 * Files, exports and packages that nothing uses, and packages that are used and not declared; by
 * knip.
 */
export const deadCode: Check = {
  name: 'dead code',
  async run() {
    const { stdout, output } = await runTool('node_modules/knip/bin/knip.js', [
      '--no-progress',
      '--no-config-hints',
      '--reporter',
      './scripts/checks/knipReport.ts',
    ]);
    const line = stdout.split('\n').find((candidate) => candidate.startsWith('{"looked"'));
    if (line === undefined) return { looked: 0, at: 'files', problems: [output.trim()] };
    const { looked, problems } = JSON.parse(line) as { looked: number; problems: string[] };
    return { looked, at: 'files', problems };
  },
};
