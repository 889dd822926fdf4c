import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';

const test = suite('stories: svc run');

const root = join(import.meta.dirname, '..', '..');

/** A place as a pipeline has it: a folder for temporary files, a repository, a team layer. */
class Pipeline {
  readonly dir = mkdtempSync(join(tmpdir(), 'svc-pipeline-'));
  readonly temporary = join(this.dir, 'tmp');
  repository = join(this.dir, 'titles-work');
  readonly summary = join(this.dir, 'summary.md');
  /** With which bundles are encrypted. */
  key = 'the key of this pipeline';
  readonly workflow = join(this.dir, 'ci', 'workflows', 'job.md');

  constructor() {
    mkdirSync(this.temporary);
    makeSampleRepository(this.dir);
    cpSync(join(root, 'demo', 'intelligence'), join(this.dir, 'ci'), { recursive: true });
    cpSync(join(root, 'intelligence', 'workflows'), join(this.dir, 'ci', 'workflows'), {
      recursive: true,
    });
  }

  /** `svc run` in the repository with nothing in its environment but PATH and TMPDIR. */
  run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: this.temporary,
      GITHUB_STEP_SUMMARY: this.summary,
      SVC_BUNDLE_KEY: this.key,
    };
    const argv = [join(root, 'cli', 'bin', 'run.js'), 'run', '--workflow', this.workflow, ...args];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, argv, { cwd: this.repository, env }, (_, out, err) =>
        resolve({ code: child.exitCode ?? -1, out, err }),
      );
      child.stdin?.end();
    });
  }

  /** The next pipeline has the repository in another folder. */
  move(): void {
    const elsewhere = join(this.dir, 'elsewhere');
    renameSync(this.repository, elsewhere);
    this.repository = elsewhere;
  }

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

test('without HOME, terminal and network: refused without approvals, kept at its pull request, continued after the merge, nothing left (JOB-15)', async () => {
  using pipeline = new Pipeline();
  const task = ['--description', 'The tests fail. Fix it.'];
  const refused = await pipeline.run(...task);
  assert.is(refused.code, 2, refused.err);
  assert.match(refused.err, '--approve planning');

  const waiting = await pipeline.run(...task, '--approve', 'all', '--keep', '../kept');
  assert.is(waiting.code, 7, waiting.err);
  assert.match(waiting.err, 'fix/slugify -> main');
  assert.not.match(waiting.out, '\u001b');
  assert.match(readFileSync(pipeline.summary, 'utf8'), '## svc: waiting (exit code 7)');

  assert.equal(readdirSync(join(pipeline.dir, 'kept')).sort(), ['sealed.bin', 'sealed.json']);
  pipeline.key = '';
  const closed = await pipeline.run('--resume', '../kept');
  assert.is(closed.code, 2);
  assert.match(closed.err, 'is encrypted. Set SVC_BUNDLE_KEY');
  pipeline.key = 'the key of this pipeline';

  const early = await pipeline.run('--resume', '../kept');
  assert.is(early.code, 7, early.err);
  assert.match(early.out, 'has not happened yet');

  execFileSync('git', ['merge', '--quiet', 'fix/slugify'], { cwd: pipeline.repository });
  pipeline.move();
  const run = await pipeline.run('--resume', '../kept');
  assert.is(run.code, 0, run.err);
  assert.not.match(run.out, 'planning * [phase]');
  const again = await pipeline.run('--resume', '../kept');
  assert.is(again.code, 0);
  assert.match(again.err, 'has ended before: complete');
  assert.equal(readdirSync(pipeline.temporary), []);
});

test.run();
