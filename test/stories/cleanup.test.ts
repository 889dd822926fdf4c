import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { story } from '../support/story.ts';

const test = suite('stories: cleanup');

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
`;

/**
 * Leaves a commit on a branch that is never pushed, and an uncommitted file; logs what it found.
 */
const CODER = `
tool('log', { tag: 'found', message: existsSync('left.txt') ? 'what was left' : 'a fresh checkout' });
git('switch', '-q', '-C', 'nowhere');
writeFileSync('done.txt', 'done');
git('add', '--all');
git('commit', '-q', '-m', 'work');
writeFileSync('left.txt', 'left');
`;

test(
  'the folder of an ended job goes, its work is in the repository, and the job can be run again',
  story({ workflow: WORKFLOW, programs: { coder: CODER } }, async (it) => {
    const job = await it.job();
    await it.until(job, ({ ended }) => ended);
    const work = join(it.home, 'work');
    assert.equal((await it.client.gc()).removed, [], 'it has only just ended');
    const planned = await it.client.gc({ dryRun: true, olderThanMs: 0 });
    assert.equal(readdirSync(work), [job]);
    const cleanup = await it.client.gc({ olderThanMs: 0 });
    assert.equal(cleanup.kept, planned.kept);
    assert.equal(readdirSync(work), []);
    assert.equal(cleanup.left, []);
    assert.equal(
      cleanup.kept.map(({ what }) => what),
      ['branch nowhere', 'files'],
    );
    for (const { ref, repository } of cleanup.kept) {
      const files = execFileSync('git', ['--git-dir', repository, 'ls-tree', '--name-only', ref], {
        encoding: 'utf8',
      });
      assert.match(
        files,
        ref.endsWith('/files') ? /done\.txt\nleft\.txt/ : /done\.txt\n$|done\.txt\n(?!left)/,
      );
    }
    await it.client.rerun(job, 'coding');
    await it.until(job, ({ ended, visit }) => ended && visit > 1);
    assert.ok(existsSync(join(work, job)));
    assert.equal(
      (await it.log(job)).filter((line) => line.startsWith('[found]')),
      ['[found] a fresh checkout', '[found] a fresh checkout'],
    );
  }),
);

test.run();
