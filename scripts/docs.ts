/**
 * npm run docs [-- --serve]
 *
 * Builds the documents as a searchable site into site/html. With --serve it then shows the site on
 * this machine until Ctrl-C. What builds it is installed into site/ when it is first needed.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { read } from './checks/projectFiles.ts';
import { installGenerator } from './docs/installGenerator.ts';
import { linkProblems } from './docs/links.ts';
import { markdownFiles } from './docs/markdownFiles.ts';
import { HTML_FOLDER, PAGES_FOLDER, SITE_FOLDER } from './docs/siteConfig.ts';
import { stagePages } from './docs/stagePages.ts';

const GENERATOR = join(SITE_FOLDER, 'node_modules/vitepress/bin/vitepress.js');

/** Runs the generator with its output on this terminal; resolves with its exit code. */
const generate = (command: 'build' | 'serve'): Promise<number> =>
  new Promise((complete, reject) => {
    const child = spawn(process.execPath, [GENERATOR, command, PAGES_FOLDER], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => complete(code ?? 1));
  });

/** The generator wants its settings and its look below the pages. */
function writeSettings(root: string): void {
  const folder = join(PAGES_FOLDER, '.vitepress');
  const ours = join(root, 'scripts/docs');
  mkdirSync(join(folder, 'theme'), { recursive: true });
  writeFileSync(
    join(folder, 'config.ts'),
    `import { renderMermaidSVG } from 'beautiful-mermaid';\nimport { siteConfig } from ${JSON.stringify(join(ours, 'siteConfig.ts'))};\nexport default siteConfig(${JSON.stringify(root)}, renderMermaidSVG);\n`,
  );
  writeFileSync(
    join(folder, 'theme/index.ts'),
    `import ${JSON.stringify(join(ours, 'site.css'))};\nexport { default } from 'vitepress/theme';\n`,
  );
}

const { values } = parseArgs({ options: { serve: { type: 'boolean' } } });
const root = resolve(import.meta.dirname, '..');
process.chdir(root);

// The generator checks links to pages, but not to headings within them.
const deadLinks = markdownFiles().flatMap((file) => linkProblems(file, read(file)));
if (deadLinks.length > 0) {
  console.error(deadLinks.join('\n'));
  process.exit(1);
}
if (!installGenerator(SITE_FOLDER)) process.exit(1);
const pages = stagePages(PAGES_FOLDER);
writeSettings(root);
process.exitCode = await generate('build');
if (process.exitCode === 0) console.log(`${HTML_FOLDER}: ${pages} pages`);
if (process.exitCode === 0 && values.serve) process.exitCode = await generate('serve');
