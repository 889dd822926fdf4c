// What every program of this layer needs: the tools of its phase, git, and the tests of the
// repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls a tool of the phase and gives its structured answer; throws with the tool's own words when
 * it refuses.
 */
export const tool = (name, args = {}) => {
  const done = spawnSync('svc', ['tool', name, '-'], {
    input: JSON.stringify(args),
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`${name}: ${done.stderr.trim()}`);
  return JSON.parse(done.stdout);
};

export const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** What woke this session, as svc says it. */
export const kickoff = () => readFileSync(join(process.env.SVC_SESSION_DIR, 'kickoff.md'), 'utf8');

/** Runs the repository's own tests: did they pass, and which failed. */
export const runTests = () => {
  const done = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { encoding: 'utf8' });
  const failed = [...done.stdout.matchAll(/^\s*not ok \d+ - (.+)$/gm)]
    .map(([, name]) => name)
    .filter((name) => !name.endsWith('.js'));
  return { passed: done.status === 0, failed: [...new Set(failed)], output: done.stdout };
};

/**
 * The folder of the campaign's contract files, as the prompt names it; null where it names none.
 */
export const contractsDir = () => {
  const prompt = readFileSync(join(process.env.SVC_SESSION_DIR, 'system.md'), 'utf8');
  return (
    /^The contracts of this campaign are in the folder (.+), outside every checkout:$/m.exec(
      prompt,
    )?.[1] ?? null
  );
};

/** Replaces a contract file atomically: another program may be reading it. */
export const publish = (name, content) => {
  const dir = contractsDir();
  if (dir === null) return;
  writeFileSync(join(dir, `${name}.tmp`), `${JSON.stringify(content, null, 2)}\n`);
  renameSync(join(dir, `${name}.tmp`), join(dir, name));
};

/** The parameters of this job, as the prompt shows them. */
export const params = () => {
  const prompt = readFileSync(join(process.env.SVC_SESSION_DIR, 'system.md'), 'utf8');
  return JSON.parse(/```json\n(.*?)\n```/s.exec(prompt)?.[1] ?? '{}').params ?? {};
};

/** Brings the checkout to the newest commit of the base branch. */
export const onBase = () => {
  git('fetch', '--quiet', 'origin');
  git('switch', '--quiet', '--detach', 'origin/main');
};
