#!/usr/bin/env node
// The same program from source: `node cli/bin/dev.js jobs`. Slower to start; nothing has to be built.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register();
const [command, ...rest] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const pjson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };

if (command === '--version') {
  process.stdout.write(`svc ${pjson.version}\n`);
} else if (command === 'tool') {
  const { runTool } = await import('../tool.ts');
  process.exitCode = await runTool(rest, process.env, streams);
} else if (command === 'start') {
  const { processStreams, runStart } = await import('../start.ts');
  process.exit(await runStart(rest, process.env, processStreams()));
} else {
  const { execute } = await import('@oclif/core');
  const source = { ...pjson, oclif: { ...pjson.oclif, commands: './cli/commands' } };
  await execute({ loadOptions: { root, pjson: source, ignoreManifest: true } });
}
