import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Every file that git sees (committed or new, not ignored); paths with `/` from the root. */
export function projectFiles(): string[] {
  const output = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  return [...new Set(output.split('\0'))].filter((file) => file !== '' && existsSync(file)).sort();
}

/** Source files: what is compiled, bundled or run. */
export const sourceFiles = (): string[] =>
  projectFiles().filter((file) => /\.(ts|tsx|js|mjs|cjs|css)$/.test(file));

export const read = (file: string): string => readFileSync(file, 'utf8');
