import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FENCED_EXIT_CODE } from '../../src/base/errors/cloudExitCodes.ts';
import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { TakeoverStage, type TeamRunner } from '../support/cloud/takeoverStage.ts';

const test = suite('story: commands about the home of a team, with real processes');
const dbTest = defineDatabaseTests(test);

interface ProcessResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a command of the command line on the machine of a runner. */
const run = ({ story }: TeamRunner, ...argv: string[]): Promise<ProcessResult> =>
  story.runner.command(...argv).then(
    (out) => ({ code: 0, out, err: '' }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );

/** A runner alone in its team, with a job in a session, which is stopped: the control plane has its log. */
async function openStopped() {
  const stage = await TakeoverStage.open();
  const one = await stage.addRunner('one');
  await stage.logged(one);
  const jobId = await one.story.job();
  await one.story.until(jobId, ({ prMappings }) => prMappings.length === 1);
  await one.story.runner.stop();
  return { stage, one, jobId, [Symbol.asyncDispose]: () => stage.close() };
}

/** The database of the control plane was restored from a backup: it lacks the newest entries. */
async function restoreToThePast(stage: TakeoverStage, { id }: TeamRunner): Promise<void> {
  const { sql } = stage.people.database;
  await sql`
    update homes set (head, hash) = (
      select n, commits.hash from commits where commits.log_id = homes.log_id and n < homes.head - 2
      order by n desc limit 1)
    where runner_id = ${id}`;
  await sql`
    delete from commits using homes where commits.log_id = homes.log_id and n > head and runner_id = ${id}`;
  await sql`
    delete from checkpoints using homes where checkpoints.log_id = homes.log_id and checkpoints.n > head
      and runner_id = ${id}`;
  await sql`
    update homes set checkpoint_n = (select max(n) from checkpoints where checkpoints.log_id = homes.log_id)
    where runner_id = ${id}`;
}

const listStates = (home: string): string[] =>
  readdirSync(home)
    .filter((name) => /^state\.(db(\.diverged-\d+)?|diverged\.json)$/.test(name))
    .map((name) => name.replace(/\d+$/, 'N'))
    .sort();

dbTest(
  'svc cloud reseed lets this machine’s state count after a loss at the control plane',
  async () => {
    await using it = await openStopped();
    const { stage, one, jobId } = it;
    await restoreToThePast(stage, one);
    const { home } = one.story;

    const start = await run(one, 'start', '--no-open', '--json');
    assert.is.not(start.code, 0);
    assert.match(start.out + start.err, 'svc cloud reseed');
    assert.equal(listStates(home), ['state.db.diverged-N', 'state.diverged.json']);

    const unconfirmed = await run(one, 'cloud', 'reseed');
    assert.is(unconfirmed.code, 2);
    assert.equal(listStates(home), ['state.db.diverged-N', 'state.diverged.json']);

    const result = await run(one, 'cloud', 'reseed', '--yes', '--json');
    assert.is(result.code, 0, result.err);
    const reply = JSON.parse(result.out);
    assert.equal([reply.done, reply.counts], [true, 'machine']);
    assert.ok(reply.machine > reply.cloud, `${reply.machine} ${reply.cloud}`);
    assert.equal(listStates(home), ['state.db']);

    await one.story.runner.start();
    assert.is((await one.story.client.job(jobId)).prMappings.length, 1);
    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
  },
);

dbTest('svc cloud reseed --from-cloud keeps this machine’s state beside the other', async () => {
  await using it = await openStopped();
  const { stage, one } = it;
  await restoreToThePast(stage, one);
  const { home } = one.story;
  await run(one, 'start', '--no-open', '--json');
  const result = await run(one, 'cloud', 'reseed', '--from-cloud', '--yes');
  assert.is(result.code, 0, result.err);
  assert.match(result.out, 'svc start');
  assert.equal(listStates(home), ['state.db.diverged-N']);
  await one.story.runner.start();
  assert.equal(listStates(home), ['state.db', 'state.db.diverged-N']);
});

dbTest(
  'svc cloud reseed is refused while the runner runs, and in a home without a team',
  async () => {
    await using it = await openStopped();
    const { one } = it;
    await one.story.runner.start();
    const running = await run(one, 'cloud', 'reseed', '--yes', '--json');
    assert.is(JSON.parse(running.out).error.code, 'locked');
    await one.story.runner.command('logout');
    await one.story.runner.stop();
    const local = await run(one, 'cloud', 'reseed', '--yes', '--json');
    assert.is(JSON.parse(local.out).error.code, 'not-possible-now');
  },
);

dbTest(
  'svc runner release ends the runner, keeps its folder, and names who has the jobs',
  async () => {
    await using stage = await openStage();
    const one = await stage.addRunner('one');
    const two = await stage.addRunner('two');
    await stage.logged(one);
    const jobId = await one.story.job();
    await one.story.until(jobId, ({ prMappings }) => prMappings.length === 1);
    const { pid } = one.story.runner;

    const released = await run(one, 'runner', 'release');
    assert.is(released.code, 0, released.err);
    assert.match(released.out, 'another runner of the team continues them');
    await stage.settled(async () => !isProcessAlive(pid));
    assert.ok(existsSync(join(one.story.home, 'state.db')));
    await stage.adopted(two);

    const start = await run(one, 'start', '--no-open');
    assert.is(start.code, FENCED_EXIT_CODE, start.err);
    const status = await run(one, 'runner', 'status', '--json');
    assert.is(status.code, FENCED_EXIT_CODE);
    assert.is(JSON.parse(status.out).holder.name, 'two');
    stage.letAgentsEnd();
    await stage.settled(() => stage.isComplete(jobId));
  },
);

dbTest(
  'svc backup of a paired home says what it is for, and svc restore goes into another folder',
  async () => {
    await using it = await openStopped();
    const { one, jobId } = it;
    const { home, dir } = one.story;
    const file = join(dir, 'home.tar.gz');
    const backup = await run(one, 'backup', file);
    assert.is(backup.code, 0, backup.err);
    assert.match(backup.out, 'for the loss of the control plane itself');

    const before = readFileSync(join(home, 'state.db'));
    const refused = await run(one, 'restore', file, '--json');
    assert.is.not(refused.code, 0);
    const { error } = JSON.parse(refused.out);
    assert.is(error.code, 'not-possible-now');
    assert.match(error.detail, 'svc cloud reseed');
    assert.equal(readFileSync(join(home, 'state.db')), before);

    const other = join(dir, 'restored');
    const restored = await run(one, 'restore', file, '--home', other, '--json');
    assert.is(restored.code, 0, restored.err);
    assert.is(JSON.parse(restored.out).header.jobs, 1);
    assert.ok(existsSync(join(other, 'state.db')), jobId);
  },
);

async function openStage(): Promise<TakeoverStage & AsyncDisposable> {
  const stage = await TakeoverStage.open();
  return Object.assign(stage, { [Symbol.asyncDispose]: () => stage.close() });
}

test.run();
