import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  RemoteOverlay,
  type RemoteOverlayDeps,
} from '../../../src/jobs/workspace/remoteOverlay.ts';
import { createGitOverlaySource } from '../../../src/jobs/workspace/gitOverlaySource.ts';
import type { GitRemoteOverlay } from '../../../src/contract/schema/runner/settings.ts';
import { mergeLayers } from '../../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../../src/workflows/overlay/openOverlay.ts';
import { hashTrustCandidates } from '../../../src/workflows/trust/trustCandidates.ts';
import { answerGit } from '../../support/forges/fakeForge/gitHttp.ts';
import { makeGitRepository, type GitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

interface Stage {
  dir: string;
  repo: GitRepository;
  lines: string[];
  now: number;
}
const test = suite<Stage>('a team overlay in a git repository');

const BASE = join(import.meta.dirname, '../../../intelligence');
const workflow = (agent: string) =>
  `---\ninitial_phase: a\nphases:\n  - { name: a, agent: ${agent}, status: busy }\n---\nText.\n`;
const FILES = {
  'workflows/own.md': workflow('agents/own.md'),
  'agents/own.md': 'An agent.\n',
  'memory/team.md': 'Use tabs.\n',
};

test.before.each(async (stage) => {
  stage.dir = await mkdtemp(join(tmpdir(), 'svc-remote-overlay-'));
  stage.repo = makeGitRepository({ bare: true, files: FILES });
  stage.lines = [];
  stage.now = 0;
});
test.after.each(async ({ dir, repo }) => {
  repo.remove();
  await rm(dir, { recursive: true, force: true });
});

const openRemoteOverlay = (
  stage: Stage,
  settings: Partial<GitRemoteOverlay> = {},
  more: Partial<RemoteOverlayDeps> = {},
) =>
  new RemoteOverlay({
    source: createGitOverlaySource({
      settings: {
        kind: 'gitRemote',
        url: `file://${stage.repo.path}`,
        ref: null,
        path: null,
        username: 'x',
        token: '',
        ...settings,
      },
      mirrorsDir: join(stage.dir, 'mirrors'),
      sshAuthSock: null,
    }),
    baseIntelligence: BASE,
    trust: { has: async () => false },
    clock: { now: () => stage.now },
    log: {
      info: (_data: object, line?: string) => void stage.lines.push(String(line)),
      warn: (data: object, line?: string) =>
        void stage.lines.push(`${line}: ${JSON.stringify(data)}`),
    } as RemoteOverlayDeps['log'],
    ...more,
  });
const listLayerPaths = ({ layer }: Awaited<ReturnType<RemoteOverlay['layer']>>) => [
  ...layer.files.keys(),
];

test('its newest commit is the tenant layer, pinned until the next look (INT-3)', async (stage) => {
  const overlay = openRemoteOverlay(stage, {}, { everyMs: 1_000 });
  const first = await overlay.layer();
  assert.equal(listLayerPaths(first), ['agents/own.md', 'memory/team.md', 'workflows/own.md']);
  assert.equal(first.layer.name, 'tenant');
  assert.equal(first.layer.origin, `file://${stage.repo.path}@${stage.repo.head()}`);
  assert.equal(first.layer.root, null);
  stage.repo.commit({ 'memory/more.md': 'And spaces.\n' });
  assert.is(
    (await overlay.layer()).layer.files.has('memory/more.md'),
    false,
    'not looked again yet',
  );
  stage.now = 1_000;
  const second = await overlay.layer();
  assert.equal(second.layer.files.has('memory/more.md'), true);
  assert.equal(second.layer.origin.endsWith(stage.repo.head()), true);
  assert.equal(second.problem, null);
});

test('a branch, a commit and a folder of the repository can be named (INT-3)', async (stage) => {
  const sha = stage.repo.head();
  stage.repo.commit({ 'team/memory/x.md': 'x\n' }, { branch: 'next' });
  assert.equal(
    listLayerPaths(await openRemoteOverlay(stage, { ref: 'next', path: 'team' }).layer()),
    ['memory/x.md'],
  );
  assert.ok((await openRemoteOverlay(stage, { ref: sha }).layer()).layer.origin.endsWith(sha));
  assert.match(
    (await catchRefusal(() => openRemoteOverlay(stage, { ref: 'nope' }).layer())).message,
    'could not be fetched',
  );
  assert.match(
    (await catchRefusal(() => openRemoteOverlay(stage, { path: 'nope' }).layer())).message,
    'nope has no files',
  );
});

test('an unreachable remote, or a commit with errors, leaves the last good commit in use, also after a restart (INT-3)', async (stage) => {
  const good = stage.repo.head();
  const overlay = openRemoteOverlay(stage, {}, { everyMs: 0 });
  await overlay.layer();
  stage.repo.commit({
    'workflows/own.md': workflow('agents/own.md').replace('initial_phase: a', 'initial_phase: b'),
  });
  const lastGood = await overlay.layer();
  assert.ok(lastGood.layer.origin.endsWith(good));
  assert.match(
    lastGood.problem ?? '',
    /cannot be used: 1 errors, the first one: workflows\/own\.md:2:16/,
  );
  await overlay.layer();
  assert.is(
    stage.lines.filter((line) => line.startsWith('the team overlay stays')).length,
    1,
    'said once',
  );
  stage.repo.git('symbolic-ref', 'HEAD', 'refs/heads/gone');
  const offline = await openRemoteOverlay(stage, {}, { everyMs: 0 }).layer();
  assert.ok(offline.layer.origin.endsWith(good));
  assert.match(offline.problem ?? '', 'it could not be fetched');
});

test('without a mirror and without network every job is refused with the reason, and the next look tries again (INT-3)', async (stage) => {
  const overlay = openRemoteOverlay(
    stage,
    { url: 'http://127.0.0.1:9/team.git', token: 'canary-token' },
    { everyMs: 0 },
  );
  const refusal = await catchRefusal(() => overlay.layer());
  assert.is(refusal.code, 'cannot-run');
  assert.match(
    refusal.message,
    /The team overlay http:\/\/127\.0\.0\.1:9\/team\.git \(tenant\.overlay\) is not on this machine yet/,
  );
  assert.not.match(refusal.message + stage.lines.join(), 'canary-token');
});

test('what could run needs trust of exactly that content; until then the workflow is refused (INT-3)', async (stage) => {
  stage.repo.commit({
    'agents/own.md': '---\ncommand: [sh, x.sh]\n---\n',
    'x.sh': 'echo hi\n',
    '.claude/settings.json': '{}',
  });
  const openTeamWorkflow = async (overlay: RemoteOverlay) => {
    const { layer, ignored } = await overlay.layer();
    const { diagnostics } = openOverlay(mergeLayers([layer])).workflow('workflows/own.md');
    return { ignored: ignored.map(({ path }) => path), codes: diagnostics.map(({ code }) => code) };
  };
  assert.equal(await openTeamWorkflow(openRemoteOverlay(stage)), {
    ignored: ['.claude/settings.json', 'x.sh'],
    codes: ['command-not-trusted'],
  });
  const { wanted } = await openRemoteOverlay(stage).listWanted();
  const hash = hashTrustCandidates(wanted);
  const repos: unknown[] = [];
  const has = async (repo: { slug: string; path: string }, one: string) =>
    repos.push(repo) > 0 && one === hash;
  assert.equal(await openTeamWorkflow(openRemoteOverlay(stage, {}, { trust: { has } })), {
    ignored: [],
    codes: [],
  });
  assert.equal(repos, [{ slug: 'tenant-overlay', path: `file://${stage.repo.path}` }]);
  stage.repo.commit({ 'x.sh': 'echo other\n' });
  assert.equal((await openTeamWorkflow(openRemoteOverlay(stage, {}, { trust: { has } }))).codes, [
    'command-not-trusted',
  ]);
});

test('links and submodules are not part of it', async (stage) => {
  stage.repo.commit({ 'memory/link.md': { link: '/etc/passwd' } });
  assert.is((await openRemoteOverlay(stage).layer()).layer.files.has('memory/link.md'), false);
});

const serving = async (
  repo: GitRepository,
  answer: 'git' | 'redirect',
): Promise<{ server: Server; url: string; seen: (string | undefined)[] }> => {
  const seen: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    seen.push(req.headers.authorization);
    const expected = `Basic ${Buffer.from('x:canary-token').toString('base64')}`;
    if (req.headers.authorization !== expected)
      return void res.writeHead(401, { 'www-authenticate': 'Basic realm="g"' }).end();
    if (answer === 'redirect')
      return void res.writeHead(302, { location: `http://127.0.0.1:9${req.url}` }).end();
    answerGit(
      { gitDir: repo.path } as Parameters<typeof answerGit>[0],
      { login: 'x' },
      req.url ?? '',
      req,
      res,
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

test('over HTTP the login is sent to that server alone; a redirect is not followed, and nothing shows the token (INT-3)', async (stage) => {
  const git = await serving(stage.repo, 'git');
  const away = await serving(stage.repo, 'redirect');
  try {
    const { layer } = await openRemoteOverlay(stage, {
      url: git.url,
      token: 'canary-token',
    }).layer();
    assert.is(layer.origin, `${git.url}@${stage.repo.head()}`);
    const { problem } = await openRemoteOverlay(stage, {
      url: git.url,
      token: 'canary-wrong',
    }).layer();
    assert.match(problem ?? '', 'it could not be fetched');
    assert.not.match(problem ?? '', 'canary');
    assert.match(
      (
        await catchRefusal(() =>
          openRemoteOverlay(stage, { url: away.url, token: 'canary-token' }).layer(),
        )
      ).message,
      'could not be fetched',
    );
    assert.not.match(stage.lines.join(), 'canary');
  } finally {
    for (const { server } of [git, away]) {
      server.closeAllConnections();
      server.close();
    }
  }
});

test.run();
