#!/usr/bin/env node
// The same program from source: `node cli/bin/dev.mjs jobs`. Slower to start; nothing has to be
// built.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register();
const given = process.argv.slice(2);
const [command, ...rest] = given[0] === 'runner' && given[1] === 'start' ? given.slice(1) : given;
const root = fileURLToPath(new URL('../..', import.meta.url));
const pjson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };

if (['--version', '-v', 'version'].includes(command)) {
  process.stdout.write(`svc ${pjson.version}\n`);
} else if (command === 'tool') {
  const { runTool } = await import('../tool.ts');
  process.exitCode = await runTool(rest, process.env, streams);
} else if (command === 'mcp-bridge') {
  const { runBridge } = await import('../mcpBridge.ts');
  process.exitCode = await runBridge(rest, process.env, streams);
} else if (command === 'complete') {
  const { complete } = await import('../completion/complete.ts');
  process.stdout.write(await complete(rest, process.env, homedir()));
} else if (command === 'start') {
  const { processStreams, runStart } = await import('../local/start/start.ts');
  process.exit(await runStart(rest, process.env, processStreams()));
} else {
  const { runCommands } = await import('../oclif.ts');
  const ours = { folder: fileURLToPath(new URL('../commands', import.meta.url)), ending: '.ts' };
  await runCommands({
    root,
    argv: process.argv.slice(2),
    env: process.env,
    homeDir: homedir(),
    ours,
  });
}
