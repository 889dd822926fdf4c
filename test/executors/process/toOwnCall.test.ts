import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readAskedCall } from '../../../src/executors/acp/permissions.ts';
import { toOwnCall, explainCallRefusal } from '../../../src/executors/process/toOwnCall.ts';

test('a command is seen as a shell with its command (CFG-4)', () => {
  assert.equal(toOwnCall('Bash', { command: 'ls', timeout: 5 }), {
    tool: 'shell',
    args: { command: 'ls' },
    changes: [],
  });
});

test('a command in parts is one text (CFG-4)', () => {
  assert.equal(toOwnCall('shell', { cmd: ['git', 'push'] }).args, { command: 'git push' });
});

test('an edit is seen by its file alone (CFG-4)', () => {
  assert.equal(toOwnCall('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }), {
    tool: 'edit',
    args: { path: 'a.ts' },
    changes: ['a.ts'],
  });
});

test('a tool of an external server is seen with all its arguments (CFG-4)', () => {
  const call = toOwnCall('mcp__docs__find', { path: 'a', query: 'b' });
  assert.equal(call, { tool: 'mcp__docs__find', args: { path: 'a', query: 'b' }, changes: [] });
});

const readOwnCall = (call: object) => readAskedCall({ toolCallId: 't', ...call }, []);

test('a command that an agent asks for by its title alone is seen (CFG-4)', () => {
  assert.equal(readOwnCall({ kind: 'execute', title: 'git push -f' }).args, {
    command: 'git push -f',
  });
});

test('files that an agent names as locations are those that it changes (CFG-4)', () => {
  const call = { kind: 'delete', title: 'rm', locations: [{ path: '/c/a' }, { path: '/c/b' }] };
  assert.equal([readOwnCall(call).tool, readOwnCall(call).changes], ['edit', ['/c/a', '/c/b']]);
});

test('files of a change that an agent shows are those that it changes (CFG-4)', () => {
  const call = { kind: 'edit', title: 'edit', content: [{ type: 'diff', path: '/c/a' }] };
  assert.equal(readOwnCall(call).changes, ['/c/a']);
});

test('a call runs that no rule checks (CFG-4)', async () => {
  assert.is(await explainCallRefusal({}, toOwnCall('Bash', {})), null);
});

test('a call does not run where the rules cannot be asked (CFG-4)', async () => {
  const guard = () => Promise.reject(new Error('the store is closed'));
  assert.match(
    (await explainCallRefusal({ guard }, toOwnCall('Bash', {}))) ?? '',
    /the store is closed/,
  );
});

test('a call of the job’s own tools is judged at their server alone (CFG-4)', async () => {
  const guard = () => Promise.resolve('no');
  assert.is(await explainCallRefusal({ guard }, toOwnCall('mcp__svc__add_insight', {})), null);
});

test.run();
