import * as assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgentConfig } from '../../demo/agents.ts';
import type { Call, Play, ToolAnswer } from '../../demo/model/script.ts';
import { type ModelServer, openModelServer } from '../../demo/model/server.ts';
import { listMarkedProcesses } from '../../src/executors/process/processTable.ts';
import { isAlive } from '../support/agents/sessionRequest.ts';
import { Story } from '../support/story.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import {
  type DeclaredServers,
  FOREIGN_TOOL,
  openDeclaredServers,
  SERVER_SECRETS,
} from './declaredServers.ts';
import type { AgentProgram } from './programs.ts';
import type { Figures } from './realCases.ts';

/** A job of these programs, whose start alone can take half a minute on a busy machine, ms. */
const JOB_MS = 120_000;
/** Longer than programs wait for a tool by themselves, ms. */
const LONG_CALL_MS = 130_000;

const WORKFLOW = `
initial_phase: work
initial_status: coding
phases:
  - { name: work, agent: agents/worker.md, status: coding }
`;
const GO_ON = 'You may end it.';

const createServerCall = (
  server: string,
  mcp: string,
  args: Record<string, unknown> = {},
): Call => ({
  server,
  mcp,
  args,
});

const createNoteCall = (answers: readonly ToolAnswer[]): Call => ({
  svc: 'add_insight',
  args: { category: 'testing', text: answers.map(({ text }) => text.trim()).join(' | ') },
});

/** Calls a tool of each server, and notes what came. */
const everyServer: Play = function* () {
  const answers = [
    yield createServerCall('shop', 'find', { at: 1 }),
    yield createServerCall('shop', FOREIGN_TOOL.shown),
    yield createServerCall('docs.v2', 'find'),
    yield createServerCall('odd', 'either', { at: 2 }),
    yield createServerCall('frail', 'die'),
    yield createServerCall('frail', 'find'),
    yield createServerCall('web', 'find'),
    yield createServerCall('web', 'find'),
  ];
  yield { shell: 'touch ready; while [ ! -f go ]; do sleep 0.05; done' };
  yield createNoteCall(answers);
  return 'Done.';
};

/** Calls a tool, waits within an answer until a person lets it continue, and calls it once more. */
const twoSessions: Play = function* ({ said }) {
  const first = yield createServerCall('web', 'find');
  const shop = yield createServerCall('shop', 'find');
  if (!said.some((text) => text.includes(GO_ON)))
    return { say: 'I think and think.', hang: 'midway' };
  const second = yield createServerCall('web', 'find');
  yield createNoteCall([first, shop, second, yield createServerCall('shop', 'find')]);
  return 'Done.';
};

const oneLongCall: Play = function* () {
  yield createNoteCall([yield createServerCall('shop', 'wait', { ms: LONG_CALL_MS })]);
  return 'Done.';
};

interface Stage {
  story: Story;
  model: ModelServer;
  servers: DeclaredServers;
  id: string;
}

/** A job in a trusted repository that declares the servers, with the real runner and program. */
async function withJob(
  { provider, file }: AgentProgram,
  dir: string,
  script: Play,
  tell: (stage: Stage) => Promise<Figures>,
): Promise<Figures> {
  await using model = await openModelServer({ scripts: { work: script } });
  const story = new Story({
    workflow: WORKFLOW,
    programs: {},
    tenant: { 'agents/worker.md': '---\ndescription: works\n---\n\nYou work.\n' },
    config: {
      ...buildAgentConfig(provider, {
        model: model.url,
        program: file.includes('claude-agent-sdk') ? dir : join(dir, file),
      }),
    },
  });
  await using servers = await openDeclaredServers(story.dir);
  try {
    story.write(join(story.dir, 'work', '.mcp.json'), servers.text);
    story.git('add', '--all');
    story.git('commit', '--quiet', '-m', 'servers');
    story.git('push', '--quiet', story.repository, 'HEAD:main');
    await story.runner.start();
    const [view] = await story.client.trust();
    await story.client.addTrust({ repo: 'repo', hash: view?.hash ?? '' });
    const id = await story.job({ description: '@@work Begin' });
    return await tell({ story, model, servers, id });
  } finally {
    await story.end();
  }
}

/** The insights of the job once it has ended well, in the parts that the play has noted. */
async function readNotes({ story, id }: Stage, patienceMs = JOB_MS): Promise<string[]> {
  const job = await story.until(id, ({ ended, parked }) => ended || parked !== null, patienceMs);
  assert.equal(job.status, 'complete', `${job.reason} ${JSON.stringify(job.parked)}`);
  return job.insights.flatMap(({ text }) => text.split(' | '));
}

const readProcFile = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

/** Files below a folder that hold one of the texts, and that others may read. */
const exposedFiles = (dir: string, texts: readonly string[]): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => (statSync(file).mode & 0o077) !== 0)
    .filter((file) => texts.some((text) => readFileSync(file).includes(text)));

/** Nothing that the servers were given, and no token of the session, is where others can read it. */
async function checkSecrets({ story, servers, id }: Stage, checkout: string): Promise<void> {
  const session = join(story.home, 'work', id, '_sessions', '1.1');
  const { token } = JSON.parse(readFileSync(join(session, 'mcp.json'), 'utf8'));
  const secrets: string[] = [...SERVER_SECRETS, token];
  const shop = servers.readShopPids();
  const own = (await listMarkedProcesses((marker) => marker.includes(`${id}/`))).filter(
    ({ pid }) => !shop.includes(pid),
  );
  assert.ok(own.length > 0, 'no process of the agent was found');
  for (const { pid } of own) {
    for (const name of ['cmdline', 'environ']) {
      const leaks = secrets.filter((secret) => readProcFile(pid, name).includes(secret));
      assert.deepEqual(
        leaks,
        [],
        `${name} of ${readProcFile(pid, 'cmdline').replaceAll('\0', ' ')}`,
      );
    }
  }
  // The repository itself declares two of them.
  const exposed = exposedFiles(join(story.home, 'work', id), secrets).filter(
    (file) => file !== join(checkout, '.mcp.json'),
  );
  assert.deepEqual(exposed, [], 'a file that others may read holds a secret');
}

/**
 * Servers of a repository, good and bad: their tools are offered, called and answered, and what is
 * wrong with one takes neither its neighbours nor the session.
 */
export const usesExternalServers = (program: AgentProgram, dir: string): Promise<Figures> =>
  withJob(program, dir, everyServer, async (stage) => {
    const { story, model, id } = stage;
    const isReady = ({ params }: Job) =>
      existsSync(join(String(params.repoCheckoutAbsDir), 'ready'));
    const { params } = await story.until(
      id,
      (job) => job.ended || job.parked !== null || isReady(job),
      JOB_MS,
    );
    const checkout = String(params.repoCheckoutAbsDir);
    await checkSecrets(stage, checkout);
    writeFileSync(join(checkout, 'go'), '');
    const [findNote, foreign, dotted, either, died, alive, first, second] = await readNotes(stage);
    assert.match(findNote ?? '', /find \{\\?"at\\?":1\} \[secret\]/);
    assert.match(foreign ?? '', /検索 \{\} \[secret\]/);
    assert.match(dotted ?? '', /find \{\}/);
    assert.match(either ?? '', /either \{\\?"at\\?":2\}/);
    assert.match(died ?? '', /ended with exit code 9; its last words: out of memory/);
    assert.match(alive ?? '', /alive again/);
    assert.match(first ?? '', /found in session-1/);
    assert.match(second ?? '', /found in session-2/);
    const offered = new Set(model.requests.played.flatMap((request) => request.offered));
    const among = (pattern: RegExp) => [...offered].filter((name) => pattern.test(name));
    assert.deepEqual(among(/broken|mute|hidden/), [], 'tools that cannot be used');
    assert.equal(among(/goto_phase$/).length, 1, 'a tool of svc');
    const log = (await story.log(id)).join('\n');
    assert.match(log, /The tool server mute is not available/);
    assert.match(log, /The tool server odd: tool 2, broken, has no valid input schema/);
    for (const secret of SERVER_SECRETS) assert.equal(log.includes(secret), false, 'in the log');
    return { offers: among(/find|either/).join(' ') || 'no name' };
  });

/** After a crash of the runner the next session has its servers again. */
export const resumesWithServers = (program: AgentProgram, dir: string): Promise<Figures> =>
  withJob(program, dir, twoSessions, async (stage) => {
    const { story, model, servers, id } = stage;
    const hangs = (after: number) =>
      story.settled(async () => {
        const { parked, ended, reason } = await story.client.job(id);
        assert.ok(!ended && parked === null, `${reason} ${JSON.stringify(parked)}`);
        return model.requests.all.some(
          ({ number, outcome, body }) =>
            number > after && outcome === null && JSON.stringify(body).includes('[secret]'),
        );
      }, JOB_MS);
    await hangs(0);
    const [before] = servers.readShopPids();
    await story.runner.kill();
    const requestCount = model.requests.all.length;
    await story.runner.start();
    await hangs(requestCount);
    assert.equal(await isAlive(before ?? 0), false, 'a program of a server is left');
    await story.client.message(id, { message: GO_ON });
    const [, , , last] = await readNotes(stage);
    assert.match(last ?? '', /find \{\} \[secret\]/);
    const log = (await story.log(id)).join('\n');
    assert.match(log, /the runner restarted/);
    return {
      'sessions of the server': servers.countSessions(),
      'continued its conversation': /could not be continued/.test(log) ? 'no' : 'yes',
    };
  });

/** A call that takes longer than programs wait by themselves is answered. */
export const waitsForLongCall = (program: AgentProgram, dir: string): Promise<Figures> =>
  withJob(program, dir, oneLongCall, async (stage) => {
    const notes = await readNotes(stage, JOB_MS + LONG_CALL_MS);
    assert.match(notes.join('\n'), /waited/);
    return {};
  });
