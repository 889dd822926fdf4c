import { existsSync } from 'node:fs';
import { GENERATED_FILES } from '../reference/pages.ts';
import type { Check } from './check.ts';
import { read } from './projectFiles.ts';

/** The generated files that differ from what the sources give now. */
export async function staleReference(): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, render } of GENERATED_FILES) {
    if (existsSync(file) && read(file) === (await render())) continue;
    problems.push(
      `${file} does not match the sources: run npm run reference and commit the result.`,
    );
  }
  return problems;
}

/** docs/reference/, the types for plugins and the list of error messages are what the sources give. */
export const reference: Check = {
  name: 'reference',
  async run() {
    return {
      looked: GENERATED_FILES.length,
      at: 'generated files',
      problems: await staleReference(),
    };
  },
};
