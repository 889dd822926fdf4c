import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlainName } from '../../src/executors/toolServers/tools/renameArguments.ts';
import { answerUsually, json, openHttpServer } from '../support/toolServers/httpServer.ts';
import { stdioServer } from '../support/toolServers/stdioServer.ts';

/** Secrets of the servers: no agent and no other user may see them. */
export const SERVER_SECRETS = ['canary-of-the-shop', 'canary-of-the-web'] as const;

/** What models see of a tool whose name no endpoint takes. */
export const FOREIGN_TOOL = { name: '検索', shown: createPlainName('検索') };

const SHOP = (pids: string) => `
require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + ' ');
list = () => ({ tools: [
  { name: 'find', description: 'Finds a crate.', inputSchema: { type: 'object', properties: { at: { type: 'number' } } } },
  { name: '${FOREIGN_TOOL.name}', inputSchema: { type: 'object' } },
  { name: 'wait', inputSchema: { type: 'object', properties: { ms: { type: 'number' } } } },
] });
call = (name, args, n, id) => {
  const say = (text) => ({ content: [{ type: 'text', text }] });
  if (name !== 'wait') return say(name + ' ' + JSON.stringify(args) + ' ' + process.env.KEY);
  setTimeout(() => answer(id, say('waited')), args.ms);
  return null;
};`;

/** A tool that endpoints refuse as it is, and two that no one can use. */
const ODD = `
list = () => ({ tools: [
  { name: 'either', inputSchema: { type: 'object', anyOf: [{ required: ['at'], properties: { at: { type: 'number' } } }, { required: ['by'] }] } },
  { name: 'broken', inputSchema: { type: 'array' } },
  { inputSchema: { type: 'object' } },
  { name: 'hidden', inputSchema: { type: 'object' } },
] });`;

const FRAIL = `
list = () => ({ tools: [{ name: 'die', inputSchema: { type: 'object' } }, { name: 'find', inputSchema: { type: 'object' } }] });
call = (name) => {
  if (name === 'die') { process.stderr.write('out of memory\\n'); process.exit(9); }
  return { content: [{ type: 'text', text: 'alive again' }] };
};`;

/** A server over HTTP that forgets each session after one call. */
async function openForgetful() {
  let sessions = 0;
  let current = '';
  const server = await openHttpServer((posted, res, req) => {
    if (req.headers.authorization !== `Bearer ${SERVER_SECRETS[1]}`)
      return void res.writeHead(401).end();
    if (posted.method === 'initialize') {
      sessions += 1;
      current = `session-${sessions}`;
      return answerUsually(posted, res, { 'mcp-session-id': current });
    }
    if (posted.session !== current) return void res.writeHead(404).end();
    if (posted.method !== 'tools/call') return answerUsually(posted, res);
    current = '';
    const content = [{ type: 'text', text: `found in ${posted.session}` }];
    json(res, { jsonrpc: '2.0', id: posted.id, result: { content } });
  });
  return { server, countSessions: () => sessions };
}

/** The tool servers that a repository declares, good ones and bad ones. */
export interface DeclaredServers {
  /** Text of `.mcp.json`. */
  text: string;
  /** How often a client has begun a session with the server over HTTP. */
  countSessions(): number;
  /** Process ids of the programs of `shop`, oldest first. */
  readShopPids(): number[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** `dir`: a folder for what the programs write. */
export async function openDeclaredServers(dir: string): Promise<DeclaredServers> {
  const { server, countSessions } = await openForgetful();
  const pids = join(dir, 'shop-pids');
  const createProgram = (script: string, more: Record<string, unknown> = {}) => {
    const { command, args } = stdioServer(script);
    return { command, args, ...more };
  };
  const [ofShop, ofWeb] = SERVER_SECRETS;
  const mcpServers = {
    shop: createProgram(SHOP(pids), { env: { KEY: ofShop } }),
    'docs.v2': createProgram(''),
    web: { type: 'http', url: server.url, headers: { Authorization: `Bearer ${ofWeb}` } },
    mute: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'], timeout: 2_000 },
    odd: createProgram(ODD, { disallowedTools: ['hidden'] }),
    frail: createProgram(FRAIL),
  };
  return {
    text: JSON.stringify({ mcpServers }),
    countSessions,
    readShopPids: () => readFileSync(pids, 'utf8').trim().split(' ').map(Number),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
