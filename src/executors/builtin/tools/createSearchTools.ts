import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  type AgentTool,
  toDoneResult,
  toFailedResult,
  buildInputSchema,
  ToolFault,
} from '../agentTool.ts';
import type { Places } from './places.ts';
import { type ProgramPlace, runToolProgram } from './runToolProgram.ts';
import { createWildcardMatcher } from './createWildcardMatcher.ts';

const MAX_PATHS = 200;
const MAX_ENTRIES = 200_000;
const MAX_LINES = 500;
const GREP_MS = 60_000;
/** These are huge, and rarely searched by name. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

const path = { type: 'string', description: 'Folder to search; default: the checkout.' };

async function listFilesBelow(
  root: string,
  matches: (path: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const foundLines: string[] = [];
  const folders = [''];
  let matchCount = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    matchCount += entries.length;
    if (signal.aborted || matchCount > MAX_ENTRIES)
      throw new ToolFault('Too many files here; name a folder in "path".');
    for (const entry of entries) {
      const at = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) {
        if (matches(at)) foundLines.push(at);
      } else if (!LEFT_OUT.has(entry.name)) folders.push(at);
    }
  }
  return foundLines;
}

const createGlobTool = (places: Places): AgentTool => ({
  name: 'Glob',
  description: `Finds files by name, such as **/*.ts or src/{a,b}/*.md; the ones changed last come first, at most ${MAX_PATHS}. node_modules and .git are left out.`,
  inputSchema: buildInputSchema(
    { pattern: { type: 'string', description: 'Pattern of *, ?, ** and {a,b}.' }, path },
    ['pattern'],
  ),
  async run(args, signal) {
    const root = await places.readable(args.textOr('path', '.'));
    const paths = await listFilesBelow(root, createWildcardMatcher(args.text('pattern')), signal);
    if (paths.length === 0) return toDoneResult('[no file matches]');
    const times = await Promise.all(
      paths.slice(0, MAX_ENTRIES / 20).map(async (one) => {
        const { mtimeMs } = await stat(join(root, one)).catch(() => ({ mtimeMs: 0 }));
        return { shown: places.toAgentPath(join(root, one)), mtimeMs };
      }),
    );
    const sorted = times
      .sort((a, b) => b.mtimeMs - a.mtimeMs || a.shown.localeCompare(b.shown))
      .map(({ shown }) => shown);
    const omittedCount = paths.length - MAX_PATHS;
    return toDoneResult(
      [...sorted.slice(0, MAX_PATHS), ...(omittedCount > 0 ? [`[${omittedCount} more]`] : [])].join(
        '\n',
      ),
    );
  },
});

const MODES: Readonly<Record<string, string>> = {
  content: '-n',
  files_with_matches: '-l',
  count: '-c',
};

const createGrepTool = (places: Places, place: ProgramPlace): AgentTool => ({
  name: 'Grep',
  description: `Finds lines of text files by an extended regular expression (grep -E), at most ${MAX_LINES} lines of output. node_modules and .git are left out.`,
  inputSchema: buildInputSchema(
    {
      pattern: { type: 'string', description: 'The regular expression.' },
      path: { type: 'string', description: 'File or folder to search; default: the checkout.' },
      glob: { type: 'string', description: 'File name pattern, such as *.ts.' },
      output_mode: {
        enum: Object.keys(MODES),
        description: 'Default content: lines with their numbers.',
      },
      ignore_case: { type: 'boolean' },
      context: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        description: 'Lines of context around each match.',
      },
    },
    ['pattern'],
  ),
  // A program, since a regular expression of ours that takes for ever would stop the whole runner.
  async run(args, signal) {
    const target = await places.readable(args.textOr('path', '.'));
    const mode = MODES[args.textOr('output_mode', 'content')];
    if (mode === undefined)
      throw new ToolFault(`"output_mode" must be one of ${Object.keys(MODES).join(', ')}.`);
    const names = args.textOr('glob', null);
    const around = Math.min(args.countOr('context', 0) || 0, 20);
    const inCheckout = relative(places.root, target) || '.';
    const { output, code, why } = await runToolProgram(place, {
      program: 'grep',
      args: [
        '-rHIE',
        mode,
        ...[...LEFT_OUT].map((dir) => `--exclude-dir=${dir}`),
        ...(args.flag('ignore_case') ? ['-i'] : []),
        ...(around > 0 ? ['-C', String(around)] : []),
        ...(names === null ? [] : [`--include=${names}`]),
        '-e',
        args.text('pattern'),
        '--',
        inCheckout.startsWith('..') ? target : inCheckout,
      ],
      cwd: places.root,
      timeoutMs: GREP_MS,
      signal,
    });
    if (why === 'interrupted') return toFailedResult('[interrupted]');
    if (why === 'timeout')
      return toFailedResult(`[ended after ${GREP_MS / 1000} s; name a folder in "path"]`);
    // 0 = matches, 1 = none; above that the pattern or the path is wrong.
    if (code === null || code > 1) return toFailedResult(output.trim() || '[grep failed]');
    const lines = output
      .split('\n')
      .filter((line) => line !== '' && !(mode === '-c' && line.endsWith(':0')))
      .map((line) => line.replace(/^\.\//, ''));
    if (lines.length === 0) return toDoneResult('[nothing matches]');
    const omittedCount = lines.length - MAX_LINES;
    return toDoneResult(
      [
        ...lines.slice(0, MAX_LINES),
        ...(omittedCount > 0 ? [`[${omittedCount} more lines]`] : []),
      ].join('\n'),
    );
  },
});

export const createSearchTools = (places: Places, place: ProgramPlace): AgentTool[] => [
  createGlobTool(places),
  createGrepTool(places, place),
];
