import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A `claude` that speaks its stream of JSON lines as the published SDKs do: it answers the
 * initialize request, renews its login, asks about a call by its hook, and ends when its input is closed. What it was
 * given is in `seen`.
 */
const SCRIPT = `#!/usr/bin/env node
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const seen = fileURLToPath(new URL('seen.jsonl', import.meta.url));
const see = (what) => appendFileSync(seen, JSON.stringify(what) + '\\n');
if (process.argv.includes('--version')) {
  console.log('VERSION (Claude Code)');
  process.exit(0);
}
see({ args: process.argv.slice(2), env: process.env });
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const succeed = (request_id, response = {}) =>
  say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
const result = (more) => ({ type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', ...more });

let uuid = null;
const finish = () => {
  say({ type: 'stream_event', parent_tool_use_id: null, event: { type: 'message_start', message: { id: 'm' + uuid } } });
  say({ type: 'stream_event', parent_tool_use_id: null, event: { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Yes.' } } });
  say(result({ user_message_uuids: [uuid] }));
};
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  see(message);
  if (message.type === 'control_request') {
    const { subtype } = message.request;
    if (subtype === 'mcp_reconnect')
      say({ type: 'control_response', response: { subtype: 'error', request_id: message.request_id, error: 'not reached' } });
    else succeed(message.request_id);
    if (subtype === 'interrupt') say(result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming', errors: [] }));
  } else if (message.type === 'user') {
    uuid = message.uuid;
    say({ type: 'system', subtype: 'init', session_id: 'session-1' });
    say({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
    if (message.message.content === 'Die.') process.exit(3);
    if (message.message.content === 'Renew.')
      writeFileSync(process.env.CLAUDE_SECURESTORAGE_CONFIG_DIR + '/.credentials.json', '{"token":"renewed"}');
    if (message.message.content === 'Wait.') continue;
    if (message.message.content === 'Call.')
      say({ type: 'control_request', request_id: 'hook-1', request: { subtype: 'hook_callback', callback_id: 'call', input: { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } } } });
    else finish();
  } else if (message.type === 'control_response') finish();
}
`;

export interface FakeClaudeProgram {
  path: string;
  /** What it was started with, then every line of its input. */
  readSeen(): Promise<Record<string, unknown>[]>;
}

/** Writes it into the folder, under the name `claude`. */
export async function writeFakeClaudeProgram(
  dir: string,
  version = '2.1.332',
): Promise<FakeClaudeProgram> {
  const path = join(dir, 'claude');
  await writeFile(path, SCRIPT.replace('VERSION', version));
  await chmod(path, 0o755);
  // The script has no extension; this makes it a module.
  await writeFile(join(dir, 'package.json'), JSON.stringify({ type: 'module', version }));
  return {
    path,
    readSeen: async () =>
      (await readFile(join(dir, 'seen.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line): Record<string, unknown> => JSON.parse(line)),
  };
}
