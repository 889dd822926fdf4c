import type { Hook } from '@oclif/core';
import { ERROR_CODES } from '../../src/base/errors/errors.ts';
import { explainUnknownCommand } from '../explainUnknownCommand.ts';
import { toPrintableLine } from '../render/text/toPrintable.ts';

const WRONG_ARGUMENT = { code: 'bad-argument', title: ERROR_CODES['bad-argument'][1] };

/**
 * An unknown command: exit code 127; an argument that the command does not take: 2. Never prompts.
 */
const reportUnknownCommand: Hook.CommandNotFound = async function ({ id, argv = [], config }) {
  const toSpokenName = (name: string) => name.replaceAll(':', ' ');
  const knownCommands = config.commands
    .filter(({ hidden }) => !hidden)
    .flatMap(({ id: name, aliases }) => [name, ...aliases].map(toSpokenName));
  const { detail: explanation, called } = explainUnknownCommand(
    toSpokenName(id).split(' '),
    knownCommands,
  );
  const detail = toPrintableLine(explanation);
  const error =
    called === undefined ? { code: 'no-command', title: 'No such command' } : WRONG_ARGUMENT;
  if (argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: { ...error, detail } }, null, 2)}\n`);
  else process.stderr.write(`Error: ${detail}\n`);
  this.exit(called === undefined ? 127 : 2);
};

export default reportUnknownCommand;
