import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stdioServer } from '../support/toolServers/stdioServer.ts';
import { Story } from '../support/story.ts';

const test = suite('stories: external tool servers');

const SDK = pathToFileURL(
  join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/sdk/dist/esm/client'),
).href;

const workflow = (tools: string) => `
initial_phase: work
initial_status: work
phases:
  - { name: work, agent: agents/work.md, status: work${tools} }
`;
const workflowFile = (tools: string) => `---\n${workflow(tools).trim()}\n---\n\nA story.\n`;

/** An agent that lists and calls the tools of the server \`odd\`, as its program finds it. */
const CALLER = `
const { Client } = await import('${SDK}/index.js');
const { StreamableHTTPClientTransport } = await import('${SDK}/streamableHttp.js');
const { mcpServers } = JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'));
console.log('servers: ' + Object.keys(mcpServers).join(' '));
const { url, headers } = mcpServers.odd;
const client = new Client({ name: 'story', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
console.log('tools: ' + tools.map(({ name }) => name).join(' '));
const found = await client.callTool({ name: 'find', arguments: { at: 1 } });
console.log('found: ' + found.content[0].text);
const lost = await client.callTool({ name: 'die', arguments: {} });
console.log('lost: ' + lost.isError + ' ' + lost.content[0].text);
const again = await client.callTool({ name: 'find', arguments: {} });
console.log('again: ' + again.content[0].text);
await client.close();
console.log('event: log data: as a frame has it');
`;

const ODD = `
out('Welcome!\\n');
list = () => ({ tools: [
  { name: 'find', inputSchema: { type: 'object', anyOf: [{ required: ['at'], properties: { at: { type: 'number' } } }] } },
  { name: 'die', inputSchema: { type: 'object' } },
  { name: 'broken', inputSchema: {} },
  { name: 'get.item', inputSchema: { type: 'object' } },
  { name: 'get_item', inputSchema: { type: 'object' } },
  { name: '検索', inputSchema: { type: 'object' } },
  { name: 'hidden', inputSchema: { type: 'object' } },
] });
call = (name, args) => {
  if (name === 'die') { process.stderr.write('no memory for ' + process.env.KEY + '\\n'); process.exit(9); }
  return { content: [{ type: 'text', text: name + JSON.stringify(args) + process.env.KEY }] };
};`;

const createConfig = (script: string, overrides: Record<string, unknown> = {}) => {
  const { command, args } = stdioServer(script);
  return { type: 'stdio', command, args, ...overrides };
};

/** One runner for all: its start takes longer than the jobs. */
const it = new Story({
  workflow: workflow(''),
  programs: { work: CALLER },
  tenant: {
    'workflows/gone.md': workflowFile(", tools: ['mcp__gone__find', read]"),
    'workflows/undeclared.md': workflowFile(", tools: ['mcp__docs__find']"),
  },
  config: {
    mcpServers: {
      odd: createConfig(ODD, {
        env: { KEY: 'canary-of-the-server' },
        disallowedTools: ['hidden'],
      }),
      gone: { type: 'stdio', command: 'no-such-program' },
    },
  },
});
test.before(() => it.runner.start());
test.after(() => it.end());

/** Starts a job of another workflow, which parks; answers its id. */
const park = async (name: string): Promise<string> => {
  const { jobId } = await it.client.createJob({
    type: 'job',
    workflowPath: `workflows/${name}.md`,
    params: { repoSlug: 'repo', description: 'a story' },
  });
  await it.until(jobId, ({ parked, ended }) => parked !== null || ended);
  return jobId;
};

test('a program of any kind gets the tools of an odd server by way of the runner (TOOL-10)', async () => {
  const id = await it.job();
  const job = await it.until(id, ({ ended }) => ended);
  assert.is(job.status, 'complete');
  const log = await it.log(id);
  const findLogLines = (text: string) => log.filter((line) => line.includes(text));
  assert.match(findLogLines('servers: ').join(), /servers: svc odd$/);
  assert.match(
    findLogLines('tools: ').join(),
    /tools: find die get_item_[0-9a-f]{6} get_item tool_[0-9a-f]{6}/,
  );
  assert.match(findLogLines('found: ').join(), 'found: find{"at":1}[secret]');
  assert.match(
    findLogLines('lost: ').join(),
    'lost: true die: the tool server odd did not answer: it ended with exit code 9; its last words: no memory for [secret]. Whether the call was carried out is unknown.',
  );
  assert.match(findLogLines('again: ').join(), 'again: find{}[secret]');
  assert.is(findLogLines('canary-of-the-server').length, 0);
  assert.is(findLogLines('event: log data: as a frame has it').length, 1);
  for (const line of [
    '[mcp] The tool server odd: 1 line of its standard output is not a message and was skipped; the first: Welcome!.',
    '[mcp] The tool server odd: tool 3, broken, has no valid input schema: its type must be "object": it is left out.',
    '[mcp] The tool server gone is not available, so its tools are missing: its program cannot be started: spawn no-such-program ENOENT',
  ])
    assert.is(findLogLines(line).length, 1, `${line} in\n${log.join('\n')}`);
});

test('a phase that lists tools of a server whose program is not there waits, and does not run without them (TOOL-10)', async () => {
  const id = await park('gone');
  assert.equal((await it.client.job(id)).state, ['parked.outage']);
  assert.match(
    JSON.stringify(await it.client.why(id)),
    'Phase work lists tools of a tool server that cannot be used. gone: its program cannot be started',
  );
});

test('a phase that lists tools of a server that is not declared waits for a person (TOOL-10)', async () => {
  const id = await park('undeclared');
  assert.equal((await it.client.job(id)).state, ['parked.developer']);
  assert.match(
    JSON.stringify(await it.client.why(id)),
    'docs: neither the configuration nor a trusted repository declares it',
  );
});

test.run();
