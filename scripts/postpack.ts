/** npm pack and npm publish run it when they have packed: the README is again that of the sources. */
import { resolve } from 'node:path';
import { restoreReadme } from './package/readmeSwap.ts';

process.chdir(resolve(import.meta.dirname, '..'));
restoreReadme();
