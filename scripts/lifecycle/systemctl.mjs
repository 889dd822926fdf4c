#!/usr/bin/env node
/**
 * In the place of systemctl, where no systemd has booted the machine: notes each call in
 * `<folder of this file>/calls`, and starts and stops the program of a user's unit as systemd would, with
 * the environment of the unit alone. Exit codes of programs go to `<unit>.exit`, their output to `<unit>.out`.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const folder = dirname(process.argv[1]);
const args = process.argv.slice(2);
appendFileSync(join(folder, 'calls'), `${args.join(' ')}\n`);
const unit = args.find((arg) => arg.endsWith('.service')) ?? '';
const file = join(process.env.HOME, '.config', 'systemd', 'user', unit);
const noted = (ending) => join(folder, `${unit}.${ending}`);

const WORD = /"((?:\\.|[^"\\])*)"/g;
const splitWords = (line) =>
  [...line.matchAll(WORD)].map(([, text]) =>
    text.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );
const readValues = (name) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

/** `sh` waits for the program and notes how it ended; `exec` in it keeps the program's own pid. */
function start() {
  const [command] = readValues('ExecStart');
  const env = Object.fromEntries(
    readValues('Environment')
      .flatMap(splitWords)
      .map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const out = openSync(noted('out'), 'a');
  const script = `sh -c 'echo $$ > "$1.pid"; shift; exec "$@"' unit "$0" "$@"; echo $? > "$0.exit"`;
  const base = join(folder, unit);
  spawn('sh', ['-c', script, base, ...splitWords(command)], {
    cwd: readValues('WorkingDirectory')[0],
    env: { HOME: process.env.HOME, ...env },
    detached: true,
    stdio: ['ignore', out, out],
  }).unref();
}

async function stop() {
  if (!existsSync(noted('pid')) || existsSync(noted('exit'))) return;
  process.kill(Number(readFileSync(noted('pid'), 'utf8')), 'SIGTERM');
  while (!existsSync(noted('exit'))) await wait(50);
}

if (args.includes('enable')) {
  writeFileSync(noted('enabled'), '');
  start();
} else if (args.includes('start')) {
  rmSync(noted('exit'), { force: true });
  start();
} else if (args.includes('stop') || args.includes('disable')) await stop();
