/** npm run reference: writes docs/reference/, the types for plugins and the list of error messages from the sources. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GENERATED_FILES, REFERENCE_FOLDER } from './reference/pages.ts';

process.chdir(resolve(import.meta.dirname, '..'));
mkdirSync(REFERENCE_FOLDER, { recursive: true });
for (const { file, render } of GENERATED_FILES) {
  writeFileSync(file, await render());
  console.log(file);
}
