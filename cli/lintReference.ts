import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './packageRoot.ts';

/** Address of the page that describes every code of the linter: it is installed with svc. */
export const lintReference = (): string =>
  pathToFileURL(join(packageRoot(import.meta.url), 'docs/reference/lint.md')).href;
