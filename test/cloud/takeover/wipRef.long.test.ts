import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { TakeoverStage } from '../../support/cloud/takeoverStage.ts';

const test = suite('cloud: the files of a lost machine that were not committed');
const dbTest = defineDatabaseTests(test);

const FILE = 'uncommitted.txt';

/** The second phase says whether it finds the file of the first one, and waits until the test lets it end. */
const describeFinish = (folder: string): string => `
const FOLDER = ${JSON.stringify(folder)};
console.log(existsSync('${FILE}') ? 'has ' + readFileSync('${FILE}', 'utf8') : 'has no file');
while (!existsSync(FOLDER + '/end') && existsSync(FOLDER)) await new Promise((resolve) => setTimeout(resolve, 50));
`;

for (const { wipRef, seen } of [
  { wipRef: true, seen: ['has not committed', 'has not committed'] },
  { wipRef: false, seen: ['has not committed', 'has no file'] },
])
  dbTest(
    `with cloud.wipRef ${wipRef} the next session ${wipRef ? 'has them' : 'lacks them'} on another machine (RUN-5)`,
    async () => {
      const stage = await TakeoverStage.open();
      try {
        const one = await stage.addRunner('one', { wipRef });
        const two = await stage.addRunner('two', { wipRef });
        await stage.logged(one);
        await stage.setPolicy(one, 'auto');
        const { dir, repository } = one.story;
        appendFileSync(join(dir, 'tenant', 'programs', 'finish.mjs'), describeFinish(dir));
        const refs = (): string[] =>
          execFileSync(
            'git',
            ['-C', repository, 'for-each-ref', '--format=%(refname)', 'refs/svc'],
            {
              encoding: 'utf8',
            },
          )
            .split('\n')
            .filter((name) => name !== '');

        stage.letAgentsEnd();
        const jobId = await one.story.job();
        await one.story.firstLines(jobId, 'has not committed');
        assert.is(refs().length, wipRef ? 1 : 0);
        await one.story.runner.kill();

        const client = stage.client(two, await stage.adopted(two));
        await stage.settled(async () => (await client.job(jobId)).phase === 'finish');
        writeFileSync(join(dir, 'end'), '');
        await stage.settled(() => stage.isComplete(jobId));
        // The first machine has its home again, and with it the log of both.
        await stage.settled(async () => (await stage.home(one)).state === 'released');
        await one.story.runner.start();
        const lines = (await one.story.log(jobId)).filter((line) => line.includes('has no'));
        assert.equal(
          lines.map((line) => line.trim()),
          seen,
        );
        assert.equal(refs(), [], 'removed when the job has ended');
      } finally {
        await stage.close();
      }
    },
  );

test.run();
