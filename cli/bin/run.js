#!/usr/bin/env node
// CommonJS, like everything that is built: node then does not load its loader of ES modules.
const { existsSync, readFileSync } = require('node:fs');
const { homedir, userInfo } = require('node:os');
const { join } = require('node:path');

const node = process.versions.node;
const [major, minor] = node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `svc needs Node 20.19 or newer; this is Node ${node} (${process.execPath}). Install a newer one: https://nodejs.org/en/download\n`,
  );
  process.exit(1);
}
try {
  process.cwd();
} catch {
  process.stderr.write(
    'Error: The current folder does not exist any more. Change to another one.\n',
  );
  process.exit(1);
}
// An empty HOME counts as missing: paths below it would lie below the current folder.
if (process.env.HOME === '') delete process.env.HOME;
// In many containers the machine does not know the user: then neither is known, and asking for them
// would throw.
try {
  homedir();
  userInfo();
} catch {
  process.env.HOME ??= '/nonexistent';
  process.env.SHELL ??= '/bin/sh';
}
const root = join(__dirname, '..', '..');
const given = process.argv.slice(2);
// Two names of one command.
const [command, ...rest] = given[0] === 'runner' && given[1] === 'start' ? given.slice(1) : given;
const built = (path) => join(root, 'dist', 'cli', path);
const load = (path) => require(built(path));
// At the first request node begins to compile in the background, and would wait for that at the
// end: as long as all the rest took.
const end = () => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
};

async function run() {
  if (['--version', '-v', 'version'].includes(command)) {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    process.stdout.write(`svc ${version}\n`);
    return;
  }
  if (!existsSync(built('start.js'))) {
    process.stderr.write('svc is not built yet. Run: npm run build\n');
    process.exitCode = 1;
    return;
  }
  const { env, stdin, stdout, stderr } = process;
  if (command === 'start') {
    // A forced stop must not wait for what is still open.
    process.exit(await load('startFrom.js').startFrom(root, rest, env, homedir()));
  } else if (command === 'cloud' && rest[0] === 'start') {
    const { runCloudStart } = load('cloudStart.js');
    process.exit(await runCloudStart(root, rest.slice(1), env, homedir()));
  } else if (command === 'tool') {
    process.exitCode = await load('tool.js').runTool(rest, env, { stdin, stdout, stderr });
  } else if (command === 'mcp-bridge') {
    process.exitCode = await load('mcpBridge.js').runBridge(rest, env, { stdin, stdout, stderr });
  } else if (command === 'complete') {
    stdout.write(await load('complete.js').complete(rest, env, homedir()));
  } else {
    // The disk is full: the output is cut, and a script must not take it for complete. This listener
    // comes before oclif's, which throws.
    stdout.on('error', ({ code, message }) => {
      if (code === 'EPIPE') return;
      stderr.write(`Error: The output could not be written: ${message}\n`);
      process.exit(1);
    });
    // npm checks the version of node; oclif would load fifty files to do it again.
    env.OCLIF_DISABLE_ENGINE_WARNING = '1';
    const ours = { folder: built('commands'), ending: '.js' };
    await load('oclif.js').runCommands({ root, argv: given, env, homeDir: homedir(), ours });
  }
  // An error of the output is heard after the tick in which it was written.
  setImmediate(end);
}

// Node prints what it rejects with, and ends with 1.
void run();
