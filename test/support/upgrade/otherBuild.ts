import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE_ROOT = join(import.meta.dirname, '..', '..', '..');
const PARTS = [
  'cli/bin',
  'dist/chunks',
  'dist/cli',
  'dist/runner',
  'intelligence',
  'package.json',
  'oclif.manifest.json',
];

/** What a broken build does instead of starting: `load` at once, `start` once its jobs are back. */
export type Breaks = 'load' | 'start';

/** Another program of svc, made of the built one: its folder. */
export function otherBuild(dir: string, version: string, breaks: Breaks | null = null): string {
  const root = join(dir, `svc-${version}`);
  for (const part of PARTS) {
    mkdirSync(dirname(join(root, part)), { recursive: true });
    cpSync(join(PACKAGE_ROOT, part), join(root, part), {
      recursive: true,
      filter: (from) => !from.endsWith('.map'),
    });
  }
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(root, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, version }));
  // It brings no name of its build: its content is another one.
  const main = join(root, 'dist/runner/main.js');
  renameSync(main, join(root, 'dist/runner/whole.js'));
  writeFileSync(main, `// ${version}\n${MAINS[breaks ?? 'none']}`);
  return root;
}

const MAINS: Readonly<Record<Breaks | 'none', string>> = {
  none: "module.exports = require('./whole.js');\n",
  load: "throw new Error('this build does not load');\n",
  start: `const whole = require('./whole.js');
module.exports = {
  ...whole,
  async startRunner(...given) {
    await whole.startRunner(...given);
    throw new Error('this build does not start');
  },
};
`,
};
