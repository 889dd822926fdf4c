import { Args, Flags } from '@oclif/core';
import { SvcError } from '../../src/base/errors/errors.ts';

/**
 * What commands act on. Each has a flag and may instead be given as an argument, in the order in
 * which the command lists them: `svc rerun <job> <phase>` is `svc rerun --job <job> --phase
 * <phase>`.
 */
const ABOUT = {
  job: 'ID of the job.',
  child: 'Name of the sub-run.',
  phase: 'Name of the phase.',
  plugin: 'ID of the plugin.',
  repo: 'Slug of the repository, as forges.local.repos names it.',
  number: 'Number of the pull request.',
  proposal: 'ID of the proposal.',
} as const;
export type ObjectName = keyof typeof ABOUT;

const SEE: Readonly<Partial<Record<string, string>>> = {
  job: ' svc jobs lists the IDs of jobs.',
  plugin: ' svc plugin list lists the IDs of plugins.',
  repo: ' svc trust list lists the repositories.',
  child: ' svc campaign show lists the sub-runs.',
  phase: ' svc status lists the phases.',
  proposal: ' svc proposals lists them.',
};

const createObjectArg = (name: ObjectName) => Args.string({ description: ABOUT[name] });

export const jobArg = createObjectArg('job');
export const childArg = createObjectArg('child');
export const phaseArg = createObjectArg('phase');
export const pluginArg = createObjectArg('plugin');
export const repoArg = createObjectArg('repo');
export const numberArg = createObjectArg('number');
export const proposalArg = createObjectArg('proposal');

export const jobFlag = Flags.string({ char: 'j', description: ABOUT.job, helpValue: '<id>' });
/** For commands about a job, which may be on any runner of a team. */
export const teamFlag = Flags.string({
  description: 'Team whose job it is: the control plane of your login is asked.',
  helpValue: '<slug>',
  exclusive: ['url'],
});
/** For commands about a proposal, of this runner or for the overlay of a team. */
export const proposalTeamFlag = Flags.string({
  description: 'Team whose overlay it is for: the control plane of your login is asked.',
  helpValue: '<slug>',
  exclusive: ['url'],
});
/** A control plane knows the name of the person that is logged in. */
export const proposalAuthorFlag = Flags.string({
  description: 'Your name. Default: developer. With --team it is that of your login.',
  helpValue: '<name>',
  exclusive: ['team'],
});
export const childFlag = Flags.string({ char: 'c', description: ABOUT.child, helpValue: '<name>' });
export const phaseFlag = Flags.string({ description: ABOUT.phase, helpValue: '<phase>' });
export const pluginFlag = Flags.string({ description: ABOUT.plugin, helpValue: '<id>' });
export const repoFlag = Flags.string({ char: 'r', description: ABOUT.repo, helpValue: '<slug>' });
export const numberFlag = Flags.string({ description: ABOUT.number, helpValue: '<n>' });
export const proposalFlag = Flags.string({ description: ABOUT.proposal, helpValue: '<id>' });

/** Checks the number of a pull request. Throws SvcError `bad-argument`. */
function parsePrNumber(value: unknown): string {
  const text = String(value);
  if (/^[1-9]\d{0,8}$/.test(text)) return text;
  throw new SvcError(
    'bad-argument',
    `The number of a pull request must be a whole number of at least 1, not ${text}.`,
  );
}

interface ParsedArguments {
  argv: readonly unknown[];
  flags: object;
}

/**
 * The named values: each from its flag, the others from the arguments in sequence. Throws SvcError
 * `bad-argument` for one that is missing, and for an argument that is left over.
 */
export function resolveObjects<const Name extends string>(
  names: readonly Name[],
  { argv, flags }: ParsedArguments,
  command: string,
): Record<Name, string> {
  const flagValues: Partial<Record<string, unknown>> = { ...flags };
  const words = argv.map(String);
  const entries = names.map((name): [Name, string] => {
    const value = flagValues[name] ?? words.shift();
    if (value !== undefined)
      return [name, name === 'number' ? parsePrNumber(value) : String(value)];
    const isObject = Object.hasOwn(ABOUT, name);
    throw new SvcError(
      'bad-argument',
      isObject
        ? `--${name} is missing. Give svc ${command} ${names.map((one) => `<${one}>`).join(' ')}, or --${name} <${name}>.${SEE[name] ?? ''}`
        : `The ${name} is missing. Give svc ${command} ${names.map((one) => `<${one}>`).join(' ')}.`,
    );
  });
  const [extra] = words;
  if (extra !== undefined) {
    const givenFlags = names
      .filter((name) => flagValues[name] !== undefined)
      .map((name) => `--${name}`);
    throw new SvcError(
      'bad-argument',
      `The argument ${extra} is one too many: ${givenFlags.join(' and ')} already given. See svc ${command} --help.`,
    );
  }
  return Object.fromEntries(entries) as Record<Name, string>;
}
