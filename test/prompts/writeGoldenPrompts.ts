// Writes the prompts of every shipped phase as they are now, to be read before they are committed:
//   npm run prompts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { currentPrompts, GOLDEN } from './recorded.ts';

const files = await currentPrompts();
rmSync(GOLDEN, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(GOLDEN, path)), { recursive: true });
  writeFileSync(join(GOLDEN, path), text);
}
console.log(`${files.size} files in ${GOLDEN}`);
