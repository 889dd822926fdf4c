import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../demo/model/server.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import { MARKER, shipped } from '../support/agents/shippedPlays.ts';
import { GithubStage, REPO } from '../support/forges/githubStage.ts';
import { Story } from '../support/story.ts';
import { PATIENCE_MS } from '../support/inTime.ts';

const test = suite('stories: shipped workflows');

const TOKEN = 'ghp_canarycanarycanarycanary';

/** A tool server of someone else with one tool, over HTTP. */
async function openDocs(): Promise<{ url: string; calls(): number; close(): void }> {
  let calls = 0;
  const answers: Record<string, (params: Record<string, unknown>) => object> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'docs', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }],
    }),
    'tools/call': () => {
      calls += 1;
      return { content: [{ type: 'text', text: 'Found.' }] };
    },
  };
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST') return void res.writeHead(405).end();
    const { id, method, params } = JSON.parse(await text(req));
    if (id === undefined) return void res.writeHead(202).end();
    const result = answers[method]?.(params) ?? {};
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/mcp`, calls: () => calls, close: () => server.close() };
}

const PLACES = [
  { repoSlug: 'repo', gitProvider: 'local' },
  { repoSlug: REPO, gitProvider: 'github' },
];

/** The people of a job and of its sub-runs: approve every plan, merge every pull request. */
async function seeThrough(
  it: Story,
  stage: GithubStage,
  jobIds: readonly string[],
): Promise<Job[]> {
  const merged = new Set<string>();
  for (const deadline = Date.now() + PATIENCE_MS; ; ) {
    const parents = await Promise.all(jobIds.map((id) => it.client.job(id)));
    const subRuns = parents.flatMap((job) => job.subRuns.flatMap(({ jobId }) => jobId ?? []));
    const all = [...parents, ...(await Promise.all(subRuns.map((id) => it.client.job(id))))];
    if (parents.every(({ ended }) => ended)) return all;
    for (const { id, parked, prMappings } of all) {
      if (parked?.kind === 'approval') await it.client.resume(id, { eventKey: 'approve' });
      const open = prMappings.find(({ prId, state }) => state === 'open' && !merged.has(prId));
      if (parked?.kind !== 'event' || !open) continue;
      merged.add(open.prId);
      if (open.forge === 'local')
        await it.client.mergePullRequest(open.repo, open.number, { author: 'ann' });
      else await stage.as('ann-token', 'PUT', `/repos/${REPO}/pulls/${open.number}/merge`, {});
    }
    if (Date.now() > deadline)
      throw new Error(
        JSON.stringify(
          all.map(({ id, state, escalationMessage, parked }) => ({
            id,
            state,
            escalationMessage,
            parked,
          })),
        ),
      );
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

test('job, campaign and sub-run run to their end with the shipped agents, at the local forge and at GitHub, and every phase reaches an external server (INT-5 SUB-2 TOOL-6 TOOL-10)', async () => {
  await using model = await openModelServer({ scripts: { [MARKER]: shipped } });
  const stage = await GithubStage.open();
  const docs = await openDocs();
  stage.github.state.addUser(TOKEN, 'svc-robot');
  const builtin = {
    api: 'anthropic',
    baseUrl: model.url,
    apiKey: 'key-of-the-story',
    model: 'claude-sonnet-4-5',
  };
  const github = { token: TOKEN, baseUrl: stage.github.url, pollSeconds: 1 };
  const it = new Story({
    workflow:
      'initial_phase: a\ninitial_status: a\nphases:\n  - { name: a, agent: null, status: a }',
    programs: {},
    config: {
      llm: { defaultProvider: 'builtin' },
      mcpServers: { docs: { type: 'http', url: docs.url } },
      plugins: { installed: { builtin: { config: builtin }, github: { config: github } } },
    },
  });
  try {
    await it.runner.start();
    const creations = PLACES.flatMap((place) =>
      ['job', 'campaign'].map((type) =>
        it.client.createJob({
          type,
          workflowPath: `workflows/${type}.md`,
          params: { ...place, description: `Retry uploads. @@${MARKER}` },
        }),
      ),
    );
    const jobIds = (await Promise.all(creations)).map(({ jobId }) => jobId);
    const all = await seeThrough(it, stage, jobIds);
    const outcomes = all.map(({ workflowPath, params, status, prMappings, artefacts }) => [
      workflowPath,
      params.gitProvider,
      status,
      prMappings.map(({ state }) => state),
      artefacts.map(({ kind }) => kind),
    ]);
    const expected = PLACES.flatMap(({ gitProvider: at }) => [
      ['workflows/campaign.md', at, 'complete', [], ['plan-md', 'report-md']],
      ['workflows/job.md', at, 'complete', ['merged'], ['plan-md', 'note-md', 'report-md']],
      ['workflows/sub-run.md', at, 'complete', ['merged'], ['note-md']],
      ['workflows/sub-run.md', at, 'complete', ['merged'], ['note-md']],
    ]);
    const sortRows = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    assert.equal(sortRows(outcomes), sortRows(expected));
    // Five phases of a job, two of a campaign, one of each sub-run.
    assert.is(docs.calls(), 2 * (5 + 2 + 2));
  } finally {
    await it.end();
    docs.close();
    await stage.end();
  }
});

test.run();
