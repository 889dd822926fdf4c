// What a program of a crash test needs: the tools of its session over plain JSON-RPC, its kickoff,
// and git.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const fileOf = (name) => readFileSync(join(process.env.SVC_SESSION_DIR, name), 'utf8');
const { url, headers } = JSON.parse(fileOf('mcp.json'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export const { jobId, visit } = JSON.parse(fileOf('session.json'));
export const kickoff = fileOf('kickoff.md');

const post = (body) =>
  new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const call = request(url, {
      agent,
      method: 'POST',
      headers: { ...headers, accept, 'content-type': 'application/json' },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.once('error', reject);
      response.once('end', () => resolve(text));
    });
    call.end(body);
  });

/**
 * Calls a tool and gives its structured answer; throws with the tool's own words when it refuses.
 */
export const tool = async (name, args = {}) => {
  const params = { name, arguments: args, _meta: { 'svc/structured': true } };
  const text = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const { result } = JSON.parse(text);
  if (!result || result.isError) throw new Error(`${name}: ${result?.content?.[0]?.text ?? text}`);
  return result.structuredContent;
};

export const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Commits what has changed, if anything has: a session may be started again after it committed. */
export const commit = (message) => {
  git('add', '--all');
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '-m', message);
};
