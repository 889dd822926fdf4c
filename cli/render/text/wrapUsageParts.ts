export interface UsageFlag {
  name: string;
  char?: string | undefined;
  type: 'boolean' | 'option';
  required?: boolean | undefined;
  multiple?: boolean | undefined;
  allowNo?: boolean | undefined;
  hidden?: boolean | undefined;
  helpGroup?: string | undefined;
  helpValue?: string | readonly string[] | undefined;
  options?: readonly string[] | undefined;
}

export interface UsageArg {
  name: string;
  required?: boolean | undefined;
  hidden?: boolean | undefined;
  multiple?: boolean | undefined;
}

export interface UsageCommand {
  /** Its words without `svc`. */
  name: string;
  args: Readonly<Record<string, UsageArg>>;
  flags: Readonly<Record<string, UsageFlag>>;
  /** False: any number of arguments. */
  strict?: boolean | undefined;
}

export const formatFlagValue = ({ type, helpValue, options }: UsageFlag): string => {
  if (type === 'boolean') return '';
  return ` ${helpValue === undefined ? (options ? `<${options.join('|')}>` : '<value>') : [helpValue].flat().join(' ')}`;
};

const formatFlagUsage = (flag: UsageFlag): string => {
  const name = flag.allowNo ? `--[no-]${flag.name}` : `--${flag.name}`;
  const short = flag.char === undefined ? '' : `-${flag.char}|`;
  const text = `${short}${name}${formatFlagValue(flag)}${flag.multiple ? ' ...' : ''}`;
  return flag.required ? text : `[${text}]`;
};

/**
 * Arguments that a flag may supply instead are shown as required, since one of the two is; the flag
 * is only in the list of flags.
 */
const formatArgUsage = ({ args, flags, strict }: UsageCommand, arg: UsageArg): string => {
  const text = `<${arg.name}>${arg.multiple || strict === false ? ' ...' : ''}`;
  return arg.required || arg.name in flags || isTextArg(args, arg) ? text : `[${text}]`;
};

const isTextArg = (args: UsageCommand['args'], { name }: UsageArg): boolean =>
  name === 'text' && Object.keys(args).length > 1;

/**
 * The parts of a usage line, none of which may be broken: arguments, required flags, the others in
 * the order of their declaration, those of every command at the end.
 */
export function listUsageParts(command: UsageCommand): string[] {
  const { name, args, flags } = command;
  const usageFlags = Object.values(flags).filter((flag) => !flag.hidden && !(flag.name in args));
  const isGlobal = ({ helpGroup }: UsageFlag) => helpGroup === 'GLOBAL';
  const orderedFlags = [
    ...usageFlags.filter(({ required }) => required),
    ...usageFlags.filter((flag) => !flag.required && !isGlobal(flag)),
    ...usageFlags.filter(isGlobal),
  ];
  return [
    'svc',
    ...name.split(' '),
    ...Object.values(args)
      .filter(({ hidden }) => !hidden)
      .map((arg) => formatArgUsage(command, arg)),
    ...orderedFlags.map(formatFlagUsage),
  ];
}

/** The parts on lines of at most `columns`; further lines begin with four spaces. */
export function wrapUsageParts(parts: readonly string[], columns: number): string {
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line} ${part}`;
    if (longer.length > columns && line.trim() !== '') {
      lines.push(line);
      line = `    ${part}`;
    } else line = longer;
  }
  return [...lines, line].join('\n');
}
