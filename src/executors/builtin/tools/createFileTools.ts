import { clip } from '../../../base/text/clip.ts';
import { type AgentTool, toDoneResult, buildInputSchema, ToolFault } from '../agentTool.ts';
import type { Places } from './places.ts';

/** Most that one call reads of a file, bytes; larger files are read in parts by `offset`. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;
/** How much of a file is read to tell text from binary data, bytes. */
const SNIFF_BYTES = 8_192;

const filePath = {
  type: 'string',
  description: 'Path of the file, absolute or relative to the checkout.',
};

async function readWholeFile(places: Places, path: string): Promise<string> {
  const file = await places.openFile(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES)
      throw new ToolFault(
        `${path} has ${size} bytes, more than ${MAX_FILE_BYTES}; use Grep or Bash.`,
      );
    const bytes = await file.readFile();
    if (bytes.subarray(0, SNIFF_BYTES).includes(0))
      throw new ToolFault(`${path} is not a text file.`);
    return bytes.toString();
  } finally {
    await file.close();
  }
}

const formatNumberedLine = (line: string, number: number): string => {
  const cut = clip(line, MAX_LINE_CHARS, () => ' … [line cut]');
  return `${String(number).padStart(6)}\t${cut}`;
};

const createReadTool = (places: Places): AgentTool => ({
  name: 'Read',
  description: `Reads a text file, each line with its number in front. At most ${MAX_LINES} lines at once; continue with offset.`,
  inputSchema: buildInputSchema(
    {
      file_path: filePath,
      offset: { type: 'integer', minimum: 1, description: 'First line; default 1.' },
      limit: { type: 'integer', minimum: 1, description: `Number of lines; default ${MAX_LINES}.` },
    },
    ['file_path'],
  ),
  async run(args) {
    const path = args.text('file_path');
    const from = args.countOr('offset', 1);
    const most = Math.min(args.countOr('limit', MAX_LINES), MAX_LINES);
    const content = await readWholeFile(places, path);
    if (content === '') return toDoneResult('[the file is empty]');
    const lines = content.replace(/\n$/, '').split('\n');
    if (from > lines.length) throw new ToolFault(`${path} has only ${lines.length} lines.`);
    const shownLines = lines
      .slice(from - 1, from - 1 + most)
      .map((line, index) => formatNumberedLine(line, from + index));
    const remaining = lines.length - (from - 1 + shownLines.length);
    return toDoneResult(
      remaining > 0
        ? `${shownLines.join('\n')}\n[${remaining} more lines; continue with offset ${from + shownLines.length}]`
        : shownLines.join('\n'),
    );
  },
});

const createWriteTool = (places: Places): AgentTool => ({
  name: 'Write',
  description:
    'Writes a whole file and replaces an existing one; creates the folders above it. To change a part of a file use Edit.',
  inputSchema: buildInputSchema(
    {
      file_path: filePath,
      content: { type: 'string', description: 'The whole content of the file.' },
    },
    ['file_path', 'content'],
  ),
  async run(args) {
    const path = args.text('file_path');
    const content = args.text('content');
    const replaced = await places.write(path, content);
    return toDoneResult(
      `${replaced ? 'Replaced' : 'Wrote'} ${path} (${Buffer.byteLength(content)} bytes).`,
    );
  },
});

const createEditTool = (places: Places): AgentTool => ({
  name: 'Edit',
  description:
    'Replaces a text in a file with another. The old text must be in the file exactly once, as Read shows it without the line numbers; with replace_all every place is changed.',
  inputSchema: buildInputSchema(
    {
      file_path: filePath,
      old_string: { type: 'string', description: 'The text as it is now.' },
      new_string: { type: 'string', description: 'The text as it should be.' },
      replace_all: { type: 'boolean', description: 'Change every place; default false.' },
    },
    ['file_path', 'old_string', 'new_string'],
  ),
  async run(args) {
    const path = args.text('file_path');
    const before = args.text('old_string');
    const after = args.text('new_string');
    if (before === '') throw new ToolFault('"old_string" is empty; use Write to create a file.');
    if (before === after)
      throw new ToolFault('"old_string" and "new_string" are the same; nothing was done.');
    const parts = (await readWholeFile(places, path)).split(before);
    const occurrences = parts.length - 1;
    if (occurrences === 0)
      throw new ToolFault(`"old_string" is not in ${path}; nothing was done. Read the file again.`);
    if (occurrences > 1 && !args.flag('replace_all')) {
      throw new ToolFault(
        `"old_string" is in ${path} ${occurrences} times; nothing was done. Give more of the lines around it, or replace_all.`,
      );
    }
    await places.write(path, parts.join(after));
    return toDoneResult(
      `Changed ${occurrences === 1 ? 'one place' : `${occurrences} places`} in ${path}.`,
    );
  },
});

export const createFileTools = (places: Places): AgentTool[] => [
  createReadTool(places),
  createWriteTool(places),
  createEditTool(places),
];
