import { readFileSync } from 'node:fs';
import { EXIT_CODES } from '../../cli/exitCodes.ts';
import { START_HELP } from '../../cli/input/parseStartFlags.ts';
import {
  wrapUsageParts,
  listUsageParts,
  formatFlagValue,
} from '../../cli/render/text/wrapUsageParts.ts';
import { TOOL_HELP } from '../../cli/tool.ts';
import { MANIFEST_FILE } from '../oclifManifest.ts';
import { CLI_REPLIES } from './cliReplies.ts';
import type { Schema } from './schemaText.ts';
import { shapeText } from './shapeText.ts';
import { code, codeBlock, page, plain, table } from './markdown.ts';

interface Flag {
  name: string;
  char?: string;
  description?: string;
  type: 'boolean' | 'option';
  helpGroup?: string;
  required?: boolean;
  multiple?: boolean;
  allowNo?: boolean;
  hidden?: boolean;
  default?: unknown;
  helpValue?: string;
  options?: readonly string[];
  dependsOn?: readonly string[];
  exclusive?: readonly string[];
}

interface Argument {
  name: string;
  description?: string;
  required?: boolean;
  hidden?: boolean;
  options?: readonly string[];
}

interface Command {
  id: string;
  summary?: string;
  description?: string;
  usage?: string | readonly string[];
  examples?: readonly (string | { command: string; description?: string })[];
  flags: Readonly<Record<string, Flag>>;
  args: Readonly<Record<string, Argument>>;
  hidden?: boolean;
  aliases: readonly string[];
  strict?: boolean;
}

/** Commands that run without oclif, with the help that they print themselves. */
const OWN_HELP: Readonly<Record<string, string>> = { start: START_HELP, tool: TOOL_HELP };

const INTRODUCTION = `\`svc <command> --help\` (or \`-h\`) prints the same on the command line, and \`svc --version\` (or
\`-v\`) the version. Commands that have \`--url\` talk to a running runner: the one of this home
(\`SVC_HOME\`, default \`~/.svc\`), or the one at \`--url\`; the others need none. With \`--json\` a
command prints one JSON value on standard output, errors included.

The JSON of each command is shown in short: the names of members, \`?\` for those that may be left out,
lists in brackets, alternatives with \`|\`, and \`{…}\` for objects that are not shown further. Members
may be added in later versions. Values that the runner gives have the shapes of the [HTTP
API](http.md). An error is \`{ error: { code, title, detail, errors? } }\`, with the same exit code.

**What a command acts on** is given as an argument or by its flag: \`svc status <job>\` is \`svc status
--job <job>\`, and \`svc pr merge <repo> <number>\` is \`svc pr merge --repo <repo> --number <number>\`.
Files, packages and texts are arguments only. Empty values are refused.

**What destroys something or cannot be undone** asks at a terminal, and \`--yes\` confirms it without asking.
Without a terminal \`svc cancel\`, the actions of \`svc campaign\` and \`svc plugin uninstall\` do what they
say; the other commands with \`--yes\` exit with 2 unless it is given.
No command without \`--yes\` asks, except that \`svc resume\` asks at a terminal before it approves, and \`svc init\` for what
no flag gives.

**Short flags** mean the same everywhere: \`-j\` job, \`-r\` repo, \`-c\` child, \`-d\` description, \`-e\`
event, \`-p\` param, \`-s\` status, \`-n\` how many (\`--limit\`, \`--tail\`), \`-f\` follow, \`-q\` quiet, \`-w\` wait,
\`-t\` timeout, \`-y\` yes, \`-h\` help.`;

/** Flags that every command of a runner has; they are described once. */
const SHARED_FLAGS = ['json', 'url'];

/** Longest line of a usage, characters. */
const PAGE_WIDTH = 90;

const fillProgramName = (text: string): string => text.replaceAll('<%= config.bin %>', 'svc');

function flagForm(flag: Flag): string {
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`;
  return `${flag.char === undefined ? '' : `-${flag.char}, `}${name}${formatFlagValue(flag)}`;
}

function flagRow(flag: Flag): string[] {
  const { required, multiple, options, dependsOn, exclusive } = flag;
  const list = (names: readonly string[]) => names.map((name) => code(`--${name}`)).join(', ');
  const notes = [
    plain(flag.description ?? ''),
    required ? 'Required.' : '',
    multiple && !flag.description?.includes('repeated') ? 'May be repeated.' : '',
    options ? `One of ${options.map(code).join(', ')}.` : '',
    flag.default === undefined || flag.default === false
      ? ''
      : `Default: ${code(String(flag.default))}.`,
    dependsOn?.length ? `Needs ${list(dependsOn)}.` : '',
    exclusive?.length ? `Not together with ${list(exclusive)}.` : '',
  ];
  return [code(flagForm(flag)), notes.filter((note) => note !== '').join(' ')];
}

/** The usage lines without the flags of every command, which a table of their own describes. */
function usage({ id, args, flags, strict, usage: own }: Command): string {
  const flagsHere = Object.fromEntries(
    Object.entries(flags).filter(([name]) => !SHARED_FLAGS.includes(name)),
  );
  const parts = listUsageParts({ name: id.replaceAll(':', ' '), args, flags: flagsHere, strict });
  if (own === undefined) return wrapUsageParts(parts, PAGE_WIDTH);
  return [own]
    .flat()
    .map((line) => `svc ${line.replace(/ \[--json\].*/, '')}`)
    .join('\n');
}

const exampleText = (example: string | { command: string; description?: string }): string =>
  typeof example === 'string'
    ? fillProgramName(example)
    : fillProgramName(
        `${example.description ? `# ${example.description}\n` : ''}${example.command}`,
      );

function replyText(id: string): string[] {
  const reply = CLI_REPLIES[id];
  if (reply === undefined)
    throw new Error(
      `scripts/reference/cliReplies.ts lacks ${id}: add the schema of what the command prints with --json`,
    );
  if (typeof reply === 'string') return [`With \`--json\`: ${reply}`];
  const schema: Schema = JSON.parse(JSON.stringify(reply));
  return [
    'With `--json`:',
    codeBlock('text', wrapUsageParts(shapeText(schema).split(' '), PAGE_WIDTH)),
  ];
}

function commandText(command: Command): string[] {
  const { id, summary = '', description = '', examples = [] } = command;
  const title = `### svc ${id.replaceAll(':', ' ')}`;
  const help = OWN_HELP[id];
  if (help !== undefined)
    return [title, plain(fillProgramName(summary)), codeBlock('text', help), ...replyText(id)];
  const flags = Object.values(command.flags).filter(
    ({ name, hidden }) => !hidden && !SHARED_FLAGS.includes(name),
  );
  const args = Object.values(command.args).filter(({ hidden }) => !hidden);
  const shared = SHARED_FLAGS.filter((name) => command.flags[name] !== undefined);
  return [
    title,
    plain(fillProgramName(summary)),
    // A description in several paragraphs ends in a table that has a section of its own below.
    plain(fillProgramName(description.split('\n\n')[0] ?? '')),
    codeBlock('text', usage(command)),
    args.length === 0
      ? ''
      : table(
          ['Argument', 'Meaning'],
          args.map((one) => [code(one.name), plain(one.description ?? '')]),
        ),
    flags.length === 0 ? '' : table(['Flag', 'Meaning'], flags.map(flagRow)),
    shared.length === 0 ? '' : `Also ${shared.map((name) => code(`--${name}`)).join(' and ')}.`,
    ...replyText(id),
    examples.length === 0 ? '' : 'Examples:',
    examples.length === 0 ? '' : codeBlock('text', examples.map(exampleText).join('\n')),
  ];
}

function groupCommands(commands: readonly Command[]): [title: string, commands: Command[]][] {
  const { oclif }: { oclif: { topics: Record<string, { description: string }> } } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const groups = new Map<string, Command[]>([['', []]]);
  for (const command of commands) {
    const [topic = '', ...rest] = command.id.split(':');
    const name =
      rest.length > 0 || commands.some(({ id }) => id.startsWith(`${topic}:`)) ? topic : '';
    groups.set(name, [...(groups.get(name) ?? []), command]);
  }
  const about = (topic: string) => oclif.topics[topic]?.description ?? '';
  return [...groups].map(([topic, members]) => [
    topic === '' ? '## Jobs and runner' : `## svc ${topic}\n\n${about(topic)}`.trimEnd(),
    members,
  ]);
}

/** Commands of oclif's own plugins, whose texts are oclif's. */
const OF_OCLIF = /^(?:help|autocomplete)(?::|$)/;

export function cliPage(): string {
  const { commands }: { commands: Record<string, Command> } = JSON.parse(
    readFileSync(MANIFEST_FILE, 'utf8'),
  );
  const commandList = Object.values(commands).filter(
    ({ id, hidden }) => !hidden && !OF_OCLIF.test(id),
  );
  const shared = commandList.find(({ flags }) =>
    SHARED_FLAGS.every((name) => flags[name] !== undefined),
  );
  return page('Command line', `${MANIFEST_FILE} and cli/`, [
    INTRODUCTION,
    table(
      ['Flag', 'Meaning'],
      SHARED_FLAGS.flatMap((name) => shared?.flags[name] ?? []).map(flagRow),
    ),
    ...groupCommands(commandList).flatMap(([title, members]) => [
      title,
      ...members.flatMap(commandText),
    ]),
    '## Exit codes',
    'They are the same with and without `--json`, and a code is never given another meaning.',
    table(
      ['Code', 'Meaning'],
      EXIT_CODES.map(([number, meaning]) => [String(number), plain(meaning)]),
    ),
  ]);
}
