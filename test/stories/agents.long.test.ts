import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('stories: agents');
const long = longLane(test);

const SDK = pathToFileURL(
  join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/sdk/dist/esm/client'),
).href;

const THREE_PHASES = `
initial_phase: first
initial_status: first
phases:
  - { name: first, agent: agents/first.md, status: first }
  - { name: second, agent: agents/second.md, status: second }
  - { name: third, agent: agents/third.md, status: third }
`;

const nothing = "console.log('nothing to do');";

test(
  'an agent that speaks MCP itself sees the tools and drives the job with them (TOOL-1 TOOL-2 TOOL-3)',
  story(
    {
      workflow: THREE_PHASES,
      programs: {
        first: `
const { Client } = await import('${SDK}/index.js');
const { StreamableHTTPClientTransport } = await import('${SDK}/streamableHttp.js');
const { url, token } = JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'));
const client = new Client({ name: 'story', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: 'Bearer ' + token } } }));
const { tools } = await client.listTools();
console.log('tools: ' + tools.length);
await client.callTool({ name: 'set_work_items', arguments: { items: [{ id: 'one', title: 'One', status: 'complete' }] } });
await client.callTool({ name: 'add_insight', arguments: { category: 'convention', text: 'use tabs' } });
await client.callTool({ name: 'post_artifact', arguments: { kind: 'report-md', title: 'Report', content: '# Done' } });
const wrong = await client.callTool({ name: 'goto_phase', arguments: { phase: 'nowhere' } });
console.log('wrong: ' + wrong.isError + ' ' + wrong.content[0].text);
await client.callTool({ name: 'goto_phase', arguments: { phase: 'third', reason: 'nothing to do in second' } });
await client.close();
`,
        second: "console.log('never');",
        third: nothing,
      },
    },
    async (it) => {
      const id = await it.job();
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ phase, outcome }) => [phase, outcome]),
        [
          ['first', 'goto'],
          ['third', 'complete'],
        ],
      );
      assert.equal(
        endedJob.insights.map(({ text }) => text),
        ['use tabs'],
      );
      const [report] = endedJob.artefacts;
      assert.is(await it.client.artefact(id, String(report?.id)), '# Done');
      const log = await it.log(id);
      assert.ok(
        log.some((line) => /^wrong: true .*first, second, third/.test(line)),
        'a wrong phase is answered with the right ones',
      );
    },
  ),
);

long(
  'request_new_session runs the same visit with a fresh session and the given prompt; escalate ends the job (JOB-3 JOB-8)',
  story(
    {
      workflow: THREE_PHASES,
      programs: {
        first: `
if (session.session === 1) tool('request_new_session', { prompt: 'begin with the tests' });
else { if (!kickoff.includes('begin with the tests')) process.exit(1); tool('escalate', { message: 'a person has to decide' }); }
`,
        second: nothing,
        third: nothing,
      },
    },
    async (it) => {
      const id = await it.job();
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'escalated');
      assert.equal(endedJob.escalationMessage, 'a person has to decide');
      assert.equal(
        endedJob.phases.map(({ phase, sessions }) => [phase, sessions]),
        [['first', 2]],
      );
    },
  ),
);

long(
  'switch_workflow takes effect at the boundary, leaves a history entry, and a workflow that is not there is refused (JOB-12 TOOL-9)',
  story(
    {
      workflow: THREE_PHASES,
      programs: {
        first: `
console.log('refused: ' + refused('switch_workflow', { workflowPath: 'workflows/none.md' }));
tool('switch_workflow', { workflowPath: 'workflows/other.md', reason: 'it is a small change' });
console.log('still in ' + session.phase);
`,
        second: nothing,
        third: nothing,
        only: nothing,
      },
      tenant: {
        'workflows/other.md':
          '---\ninitial_phase: only\ninitial_status: small\nphases:\n  - { name: only, agent: agents/only.md, status: small }\n---\n\nThe other way.\n',
      },
    },
    async (it) => {
      const id = await it.job();
      const endedJob = await it.until(id, (job) => job.ended);
      const history = endedJob.workflowPathHistory.map(({ at: _, ...entry }) => entry);
      assert.equal(endedJob.status, 'complete');
      assert.equal(endedJob.workflowPath, 'workflows/other.md');
      assert.equal(
        endedJob.phases.map(({ phase }) => phase),
        ['first', 'only'],
      );
      assert.equal(history, [
        {
          from: 'workflows/story.md',
          to: 'workflows/other.md',
          fromPhase: 'first',
          toPhase: 'only',
          reason: 'it is a small change',
          by: 'switch_workflow',
        },
      ]);
      assert.ok(
        (await it.log(id)).some(
          (line) => line.startsWith('refused: ') && line.includes('workflows/none.md'),
        ),
      );
    },
  ),
);

test(
  'a headless job passes a checkpoint approved in advance, and the approver is recorded (JOB-16)',
  story(
    {
      workflow: THREE_PHASES.replace(
        'status: first }',
        'status: first, interactive_checkpoint: true }',
      ),
      programs: { first: nothing, second: nothing, third: nothing },
    },
    async (it) => {
      const id = await it.job({ autoApprove: ['first'], interactive: false });
      const endedJob = await it.until(id, (job) => job.ended);
      assert.equal(endedJob.status, 'complete');
      assert.equal(
        endedJob.phases.map(({ phase, approvedBy }) => [phase, approvedBy]),
        [
          ['first', 'autoApprove'],
          ['second', null],
          ['third', null],
        ],
      );
    },
  ),
);

test('an agent gets a clean environment: no secret of the runner, of its user or of another session (INT-4)', async () => {
  process.env.STORY_CANARY = 'canary-8c1f';
  try {
    await story(
      {
        workflow: THREE_PHASES,
        programs: {
          first:
            "console.log('names ' + Object.keys(process.env).sort().join()); console.log('all ' + JSON.stringify(process.env));",
          second: nothing,
          third: nothing,
        },
      },
      async (it) => {
        const id = await it.job();
        await it.until(id, (job) => job.ended);
        const log = (await it.log(id)).join('\n');
        assert.not.match(log, /canary-8c1f/);
        assert.ok(!log.includes(it.runner.token));
        assert.ok(!log.includes('TOKEN'));
      },
    )();
  } finally {
    delete process.env.STORY_CANARY;
  }
});

long(
  'the overlay is resolved again at every boundary: what the tenant changes is seen by the next phase (INT-1)',
  story(
    {
      workflow: THREE_PHASES,
      programs: {
        first: "while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));",
        second: "console.log('the old second');",
        third: nothing,
      },
    },
    async (it) => {
      const id = await it.job();
      const working = await it.until(
        id,
        (job) =>
          job.state.includes('working.inSession') && job.params.repoCheckoutAbsDir !== undefined,
      );
      it.write(join(it.dir, 'tenant', 'programs', 'second.mjs'), "console.log('the new second');");
      it.write(join(it.dir, 'tenant', 'memory', 'note.md'), 'changed while it ran');
      it.write(join(String(working.params.repoCheckoutAbsDir), 'go'), '');
      const endedJob = await it.until(id, (job) => job.ended);
      const hashes = endedJob.phases.map(({ overlayHash }) => overlayHash);
      assert.ok(
        hashes[0] !== hashes[1] && hashes[1] === hashes[2],
        'the hash of each visit says what it ran with',
      );
      assert.ok((await it.log(id)).includes('the new second'));
    },
  ),
);

test.run();
