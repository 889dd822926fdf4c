#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';

const node = process.versions.node;
const [major, minor] = node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `svc needs Node 20.19 or newer; this is Node ${node} (${process.execPath}). Install a newer one: https://nodejs.org/en/download\n`,
  );
  process.exit(1);
}
// Of a user that the machine does not know, as in many containers, neither is known; asking for them
// would throw.
try {
  homedir();
  userInfo();
} catch {
  process.env.HOME ??= '/nonexistent';
  process.env.SHELL ??= '/bin/sh';
}
const given = process.argv.slice(2);
// Two names of one command.
const [command, ...rest] = given[0] === 'runner' && given[1] === 'start' ? given.slice(1) : given;
const built = (path) => fileURLToPath(new URL(`../../dist/cli/${path}`, import.meta.url));
// What is built is CommonJS: of that, node need not look for the names that it exports.
const load = createRequire(import.meta.url);
const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
// At the first request node begins to compile in the background, and would wait for that at the
// end: as long as all the rest took.
const end = () => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
};

if (['--version', '-v', 'version'].includes(command)) {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  process.stdout.write(`svc ${version}\n`);
} else if (!existsSync(built('start.js'))) {
  process.stderr.write('svc is not built yet. Run: npm run build\n');
  process.exitCode = 1;
} else if (command === 'tool') {
  const { runTool } = load(built('tool.js'));
  process.exitCode = await runTool(rest, process.env, streams);
  end();
} else if (command === 'mcp-bridge') {
  const { runBridge } = load(built('mcpBridge.js'));
  process.exitCode = await runBridge(rest, process.env, streams);
  end();
} else if (command === 'complete') {
  const { complete } = load(built('complete.js'));
  process.stdout.write(await complete(rest, process.env, homedir()));
  end();
} else if (command === 'start') {
  const { startFrom } = load(built('startFrom.js'));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  // A forced stop must not wait for what is still open.
  process.exit(await startFrom(root, rest, process.env, homedir()));
} else {
  // npm checks the version of node; oclif would load fifty files to do it again.
  process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';
  const { runCommands } = load(built('oclif.js'));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const ours = { folder: built('commands'), ending: '.js' };
  await runCommands({
    root,
    argv: process.argv.slice(2),
    env: process.env,
    homeDir: homedir(),
    ours,
  });
  end();
}
