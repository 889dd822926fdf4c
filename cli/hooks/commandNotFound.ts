import type { Hook } from '@oclif/core';
import { commandNotFound } from '../commandNotFound.ts';
import { printableLine } from '../printable.ts';

/** There is no such command: exit code 127, and nobody is asked anything. */
const hook: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  const known = config.commands.filter(({ hidden }) => !hidden).flatMap(({ id: name, aliases }) => [name, ...aliases]);
  const spoken = (name: string) => name.replaceAll(':', ' ');
  const detail = printableLine(commandNotFound(spoken(id).split(' '), known.map(spoken)));
  const isJson = argv.includes('--json');
  if (isJson)
    process.stdout.write(`${JSON.stringify({ error: { code: 'no-command', title: 'No such command', detail } }, null, 2)}\n`);
  else process.stderr.write(`Error: ${detail}\n`);
  this.exit(127);
};

export default hook;
