import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CloudAuditCommand from '../../cli/commands/cloud/audit/index.ts';
import { CommandLine } from '../support/cli/commandLine.ts';

const test = suite<{ home: string }>('svc cloud audit');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cli-audit-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

for (const since of ['yesterday', '7 days', '2030-01-01'])
  test(`a beginning that is no past time is refused before anything is asked: ${since} (CLD-1)`, async ({
    home,
  }) => {
    const { code, err } = await new CommandLine({ SVC_HOME: home }).run(CloudAuditCommand, [
      '--since',
      since,
    ]);
    assert.is(code, 2);
    assert.match(err, '12h or 2d');
  });

test.run();
