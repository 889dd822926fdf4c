import type { McpServer } from '../../../src/contract/schema/session/mcpServer.ts';

/**
 * A tool server over stdio, in a language of answers. `hello`, `list(cursor)` and `call(name, args)`
 * answer the three requests; `send(message)` writes one as a line, and `out(text)` writes any text.
 */
const PROGRAM = `
const out = (text) => process.stdout.write(text);
const send = (message) => out(JSON.stringify(message) + '\\n');
let calls = 0;
let pages = 0;
let hello = () => ({ capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } });
let list = () => ({ tools: [{ name: 'find', inputSchema: { type: 'object' } }] });
let call = (name, args) => ({ content: [{ type: 'text', text: name + ' ' + JSON.stringify(args) }] });
let answer = (id, result) => send({ jsonrpc: '2.0', id, result });
eval(process.argv[1]);
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') answer(id, { protocolVersion: params.protocolVersion, ...hello(id) });
  if (method === 'tools/list') answer(id, list(params.cursor, pages++));
  if (method === 'tools/call') { const result = call(params.name, params.arguments, calls++, id); if (result) answer(id, result); }
});`;

export const createDeclaration = (overrides: Partial<McpServer> = {}): McpServer => ({
  id: 'odd',
  origin: 'config',
  transport: 'stdio',
  command: null,
  args: [],
  env: {},
  url: null,
  headers: {},
  allowedTools: null,
  disallowedTools: [],
  ...overrides,
});

/** A server over stdio whose program runs `script` before it reads anything. */
export const stdioServer = (script: string, overrides: Partial<McpServer> = {}): McpServer =>
  createDeclaration({ command: process.execPath, args: ['-e', PROGRAM, script], ...overrides });
