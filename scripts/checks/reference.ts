import { existsSync } from 'node:fs';
import { REFERENCE_PAGES } from '../reference/pages.ts';
import type { Check } from './check.ts';
import { read } from './projectFiles.ts';

/** The generated pages that differ from what the sources give now. */
export async function staleReference(): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, render } of REFERENCE_PAGES) {
    if (existsSync(file) && read(file) === (await render())) continue;
    problems.push(
      `${file} does not match the sources: run npm run reference and commit the result.`,
    );
  }
  return problems;
}

/** docs/reference/ is what the sources give. */
export const reference: Check = {
  name: 'reference',
  async run() {
    return {
      looked: REFERENCE_PAGES.length,
      at: 'generated pages',
      problems: await staleReference(),
    };
  },
};
