import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomIds, sha256 } from '../../../src/base/system/ids/ids.ts';
import { silentLog } from '../../../src/base/system/log/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { createTeamOverlaySource } from '../../../src/host/start/teamOverlay.ts';
import { RemoteOverlay } from '../../../src/jobs/workspace/remoteOverlay.ts';
import { hashTrustCandidates } from '../../../src/workflows/trust/trustCandidates.ts';
import { type OwnServer, openOwnServer } from '../../support/cloud/testTeam.ts';
import { catchRefusal } from '../../support/refusal.ts';

interface Stage {
  home: string;
  server: OwnServer;
  version: number;
  files: Record<string, string>;
  /** What the control plane answers instead; null = the overlay. */
  status: number | null;
  /** Content that comes instead of the right one. */
  wrong: string | null;
}
const test = suite<Stage>('the overlay of a team on a runner');

const BASE = mkdtempSync(join(tmpdir(), 'svc-base-'));
const workflow = (initial: string) =>
  `---\ninitial_phase: ${initial}\nphases:\n  - { name: a, agent: agents/own.md, status: busy }\n---\nText.\n`;
const FILES = {
  'workflows/own.md': workflow('a'),
  'agents/own.md': 'An agent.\n',
  'memory/team.md': 'Use tabs.\n',
};
const PROGRAM = '---\ndescription: d\ncommand: [node, run.mjs]\n---\nRun.\n';

test.before.each(async (stage) => {
  stage.home = await mkdtemp(join(tmpdir(), 'svc-team-overlay-'));
  Object.assign(stage, { version: 1, files: { ...FILES }, status: null, wrong: null });
  stage.server = await openOwnServer((req, res) => {
    const { version, files, status, wrong } = stage;
    const list = Object.entries(files).map(([path, text]) => ({
      path,
      sha256: sha256(text),
      bytes: Buffer.byteLength(text),
    }));
    const digest = req.url?.split('/files/')[1];
    const content = Object.values(files).find((text) => sha256(text) === digest);
    if (status !== null) return void res.writeHead(status).end();
    if (digest !== undefined)
      return void res.writeHead(content === undefined ? 404 : 200).end(wrong ?? content);
    const isKnown = req.url?.endsWith(`known=${version}`) === true;
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ version, files: isKnown ? null : list }));
  });
});
test.after.each(async ({ home, server }) => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

/** As a start of the runner opens it. */
const openOverlay = ({ home, server }: Stage, trusted: string | null = null): RemoteOverlay =>
  new RemoteOverlay({
    source: createTeamOverlaySource({
      settings: { home, version: '0.0.0-test', cloud: { url: server.url, token: 'svcr_x' } },
      clock: systemClock,
      ids: randomIds,
    }),
    baseIntelligence: BASE,
    trust: { has: async (_repo, hash) => hash === trusted },
    clock: { now: () => 0 },
    log: silentLog,
    everyMs: 15_000,
  });
const listPaths = async (overlay: RemoteOverlay) => [...(await overlay.layer()).layer.files.keys()];
const countReads = ({ server }: Stage) =>
  server.requests.filter(({ url }) => url.includes('/files/')).length;

test('its newest version is the tenant layer, pinned until the next look or a push (INT-3)', async (stage) => {
  const overlay = openOverlay(stage);
  assert.equal(await listPaths(overlay), Object.keys(FILES).toSorted());
  assert.match((await overlay.layer()).layer.origin, 'version 1 of');
  const reads = countReads(stage);
  stage.version = 2;
  stage.files['memory/more.md'] = 'And spaces.\n';
  assert.not((await listPaths(overlay)).includes('memory/more.md'));
  overlay.expire();
  assert.ok((await listPaths(overlay)).includes('memory/more.md'));
  assert.is(countReads(stage), reads + 1, 'only what is new is fetched');
});

test('what it would run is left out until this machine trusts exactly that (INT-3)', async (stage) => {
  stage.files['agents/runs.md'] = PROGRAM;
  stage.files['hooks/start.sh'] = 'echo\n';
  const { layer, ignored } = await openOverlay(stage).layer();
  assert.is(layer.trusted, false);
  assert.not(layer.files.has('hooks/start.sh'));
  assert.ok(ignored.some(({ path }) => path === 'hooks/start.sh'));
  const overlay = openOverlay(stage);
  const { wanted } = await overlay.listWanted();
  assert.equal(wanted.map(({ path }) => path).toSorted(), ['agents/runs.md', 'hooks/start.sh']);
  const hash = hashTrustCandidates(wanted);
  assert.ok((await openOverlay(stage, hash).layer()).layer.files.has('hooks/start.sh'));
  stage.version = 2;
  stage.files['agents/runs.md'] = PROGRAM.replace('run.mjs', 'other.mjs');
  assert.is((await openOverlay(stage, hash).layer()).layer.trusted, false);
});

test('a version with errors, and a control plane that is away, leave the last good one in use, also after a restart (INT-3)', async (stage) => {
  const overlay = openOverlay(stage);
  await overlay.layer();
  stage.version = 2;
  stage.files['workflows/own.md'] = workflow('b');
  overlay.expire();
  const lastGood = await overlay.layer();
  assert.match(lastGood.layer.origin, 'version 1 of');
  assert.match(
    lastGood.problem ?? '',
    /^version 2 cannot be used: 1 errors, the first one: workflows\/own\.md:2/,
  );
  stage.status = 401;
  const { layer, problem } = await openOverlay(stage).layer();
  assert.match(layer.origin, 'version 1 of');
  assert.match(problem ?? '', 'could not be fetched');
});

test('without a version on this disk and without a control plane no job runs', async (stage) => {
  stage.status = 401;
  assert.is((await catchRefusal(() => openOverlay(stage).layer())).code, 'cannot-run');
});

test('bytes that are not those of their name are not used', async (stage) => {
  stage.wrong = 'something else';
  assert.is((await catchRefusal(() => openOverlay(stage).layer())).code, 'cannot-run');
});

test('a file that was changed on this disk is fetched again', async (stage) => {
  await openOverlay(stage).layer();
  const [name = ''] = await readdir(join(stage.home, 'team-overlay'));
  const file = join(stage.home, 'team-overlay', name, 'files', sha256(FILES['memory/team.md']));
  await writeFile(file, 'Use spaces.\n');
  const overlay = openOverlay(stage);
  await overlay.layer().catch(() => undefined);
  overlay.expire();
  const { layer } = await overlay.layer();
  assert.is(
    Buffer.from(layer.files.get('memory/team.md') ?? []).toString(),
    FILES['memory/team.md'],
  );
});

test('paths that leave the layer, and names that differ only in case, are left out; the others count', async (stage) => {
  stage.files['../outside.md'] = 'x\n';
  stage.files['memory/../../up.md'] = 'x\n';
  stage.files['/etc/passwd'] = 'x\n';
  stage.files['memory/TEAM.md'] = 'x\n';
  const { layer } = await openOverlay(stage).layer();
  assert.is(
    [...layer.files.keys()].filter((path) => path.includes('..') || path.startsWith('/')).length,
    0,
  );
  assert.is([...layer.files.keys()].filter((path) => /^memory\/team\.md$/i.test(path)).length, 1);
  assert.is(layer.leftOut?.length, 4);
});

test('a team without an overlay, and a control plane of an earlier version, have an empty layer', async (stage) => {
  stage.version = 0;
  stage.files = {};
  assert.equal(await listPaths(openOverlay(stage)), []);
  stage.status = 404;
  assert.equal(await listPaths(openOverlay(stage)), []);
});

test('what only older versions have is removed from this disk', async (stage) => {
  const overlay = openOverlay(stage);
  await overlay.layer();
  stage.version = 2;
  stage.files = { 'memory/team.md': 'Use spaces.\n' };
  overlay.expire();
  await overlay.layer();
  const [name = ''] = await readdir(join(stage.home, 'team-overlay'));
  const dir = join(stage.home, 'team-overlay', name);
  assert.equal(await readdir(join(dir, 'files')), [sha256('Use spaces.\n')]);
  assert.is((await readdir(dir)).filter((file) => file.endsWith('.json')).length, 1);
});

test.after(() => rmSync(BASE, { recursive: true }));
test.run();
