import type { Check } from './check.ts';
import { runTool } from './process.ts';

/** The TypeScript compiler over the whole project. */
export const typecheck: Check = {
  name: 'typecheck',
  async run() {
    const { code, stdout } = await runTool('node_modules/typescript/bin/tsc', [
      '--noEmit',
      '--pretty',
      'false',
      '--listFiles',
      '-p',
      '.',
    ]);
    const isListed = (line: string) => line.startsWith('/') || /^[A-Z]:/.test(line);
    const lines = stdout.split('\n').filter((line) => line.trim() !== '');
    const looked = lines.filter(
      (line) => isListed(line) && !line.includes('/node_modules/'),
    ).length;
    const errors = lines.filter((line) => !isListed(line)).join('\n');
    return {
      looked,
      at: 'files',
      problems: code === 0 ? [] : [errors || 'tsc failed without output'],
    };
  },
};
