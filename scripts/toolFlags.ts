import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The comment at the top of the tool's file. */
function readUsage(file: string): string {
  const [, header = ''] = /^\/\*\*\n(.*?)\n \*\/$/ms.exec(readFileSync(file, 'utf8')) ?? [];
  return header.replaceAll(/^ \* ?/gm, '');
}

/**
 * The flags of a tool of this repository, from its command line. `--help` prints the comment at the
 * top of the tool's file and ends the process; a flag that does not exist ends it with code 2 and the
 * same comment.
 */
export function toolFlags<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const usage = readUsage(process.argv[1] ?? '');
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(
      '. To specify',
    );
    console.error(`${sentence}.\n\n${usage}`);
    process.exit(2);
  }
}
