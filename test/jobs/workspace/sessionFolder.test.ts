import { lstatSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWorkplace, type WorkplaceOptions } from '../../../src/jobs/workspace/workplace.ts';

const test = suite('workplace: the folder of a session');

const REF = { jobId: 'job-1', visit: 1, session: 2 };

for (const [what, link] of [
  ['the folder of all sessions', 'job-1/_sessions'],
  ['the folder of the session', 'job-1/_sessions/1.2'],
] as const)
  test(`a link in the place of ${what} is removed, and nothing is written through it`, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-session-'));
    const elsewhere = join(dir, 'elsewhere');
    for (const folder of [elsewhere, join(dir, link, '..')]) mkdirSync(folder, { recursive: true });
    symlinkSync(elsewhere, join(dir, link));
    const workplace = createWorkplace({
      settings: { paths: { workingDir: dir } },
      hostEnv: {},
      binDir: '/bin',
    } as WorkplaceOptions);
    const session = await workplace.session(REF);
    assert.is(session.dir, join(dir, 'job-1/_sessions/1.2'));
    assert.ok(lstatSync(join(dir, link)).isDirectory());
    assert.equal(readdirSync(elsewhere), []);
  });

test.run();
