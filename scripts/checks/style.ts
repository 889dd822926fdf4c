import type { Check } from './check.ts';
import { runTool } from './process.ts';

export const style: Check = {
  name: 'style',
  async run() {
    const { code, output } = await runTool('node_modules/@biomejs/biome/bin/biome', [
      'check',
      '.',
      '--max-diagnostics=200',
      '--error-on-warnings',
    ]);
    const fileCount = Number(/Checked (\d+) files?/.exec(output)?.[1] ?? 0);
    return {
      looked: fileCount,
      at: 'files',
      problems:
        code === 0
          ? []
          : [`${output.trim()}\nRun npm run format to fix what can be fixed automatically.`],
    };
  },
};
