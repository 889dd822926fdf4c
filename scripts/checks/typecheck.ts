import type { Check } from './check.ts';
import { runTool } from './process.ts';

/** What the last run found out about each file: the next one checks only what a change reaches. */
const KNOWN = '.cache/typecheck.tsbuildinfo';

/** TypeScript 7 on one thread: more threads check shared files several times, in the same time. */
export const typecheck: Check = {
  name: 'typecheck',
  async run() {
    const { code, stdout } = await runTool('node_modules/typescript-native/bin/tsc', [
      '--singleThreaded',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      KNOWN,
      '--pretty',
      'false',
      '--listFiles',
      '-p',
      '.',
    ]);
    const isListed = (line: string) => line.startsWith('/') || /^[A-Z]:/.test(line);
    const lines = stdout.split('\n').filter((line) => line.trim() !== '');
    const fileCount = lines.filter(
      (line) => isListed(line) && !line.includes('/node_modules/'),
    ).length;
    const errors = lines.filter((line) => !isListed(line)).join('\n');
    return {
      looked: fileCount,
      at: 'files',
      problems: code === 0 ? [] : [errors || 'tsc failed without output'],
    };
  },
};
