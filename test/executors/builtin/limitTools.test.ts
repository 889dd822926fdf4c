import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentTool } from '../../../src/executors/builtin/agentTool.ts';
import { limitTools } from '../../../src/executors/builtin/prepareAgent.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';

const test = suite('builtin: as many tools as an endpoint takes');

const tool = (name: string, server?: string): AgentTool => ({
  name,
  description: '',
  inputSchema: {},
  ...(server === undefined ? {} : { server }),
  run: () => Promise.resolve({ text: '', failed: false }),
});

test('tools of servers are left out from the end, and none of the agent’s own', () => {
  const tools = [tool('read'), tool('a', 'x'), tool('b', 'x'), tool('goto_phase'), tool('c', 'y')];
  const { tools: remainingTools, line } = limitTools(tools, 3);
  assert.equal(
    remainingTools.map(({ name }) => name),
    ['read', 'a', 'goto_phase'],
  );
  assert.is(
    line,
    'The endpoint takes 3 tools (maxTools), so 2 tools of external servers are left out: b, c. List the tools that the phase needs in its `tools`.',
  );
});

test('nothing is said where all of them fit', () => {
  const tools = [tool('read'), tool('a', 'x')];
  assert.equal(limitTools(tools, 2), { tools, line: null });
});

test('OpenAI takes 128 unless the configuration says otherwise', () => {
  const most = (config: Record<string, string | number>) =>
    readBuiltinSettings({ baseUrl: 'http://127.0.0.1:1', ...config }).maxTools;
  assert.equal(
    [most({ api: 'openai' }), most({ api: 'anthropic' }), most({ api: 'openai', maxTools: 20 })],
    [128, 1_000, 20],
  );
});

test.run();
