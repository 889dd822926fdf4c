/** npm run reference: writes docs/reference/ from the sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { REFERENCE_FOLDER, REFERENCE_PAGES } from './reference/pages.ts';

process.chdir(resolve(import.meta.dirname, '..'));
mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const { file, render } of REFERENCE_PAGES) {
  writeFileSync(file, await render());
  console.log(file);
}
