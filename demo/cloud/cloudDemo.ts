import { mkdtempSync, realpathSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Releasers } from '../../src/base/concurrency/releasers.ts';
import { toDocsAddress } from '../../src/base/http/toDocsAddress.ts';
import { findLocalPlaces } from '../../src/base/system/postgres/localPlaces.ts';
import { Screen } from '../screen.ts';
import type { PlayedTeam, TeamParts } from './openDemoTeam.ts';
import { playLostRunner } from './playLostRunner.ts';
import { playTeam } from './playTeam.ts';

/** Exit codes of a program that a signal has ended. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** Longest run before the demo gives up. */
const LIMIT_MS = 300_000;

interface TeamPlay {
  title: string;
  play(parts: TeamParts): Promise<PlayedTeam>;
}

const TEAM: TeamPlay = {
  title:
    'A control plane, two runners with a job each, and a job that waits until a runner with its label appears.',
  play: playTeam,
};
const LOST_RUNNER: TeamPlay = {
  title:
    'A control plane and two runners. The one that works on a job is killed, and the other completes the job.',
  play: playLostRunner,
};

/**
 * Plays a team, or with `crash` the loss of one of its runners, and resolves with the exit code. It leaves nothing behind,
 * also after Ctrl-C.
 */
export async function runCloudDemo(
  packageRoot: string,
  { json, crash }: { json: boolean; crash: boolean },
): Promise<number> {
  const { title, play } = crash ? LOST_RUNNER : TEAM;
  const startedAt = Date.now();
  const screen = new Screen(startedAt, json);
  const isRoot = process.getuid?.() === 0;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'svc-demo-')));
  const opened = new Releasers((part, message) =>
    process.stderr.write(`${part} was not stopped: ${message}\n`),
  );
  opened.add('folder', () => removeTraces(dir, isRoot));
  const late = new AbortController();
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= opened.releaseAll());
  // Further ones change nothing: what is stopping needs a few seconds.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping === null)
        screen.plain('\nStopping the runners, the control plane and its database …');
      void stop().finally(() => {
        screen.plain('Stopped. Nothing of the demo is left.');
        process.exit(INTERRUPTED[signal]);
      });
    });
  // No one reads what it prints, as after `| head`: it still takes down what it has started.
  process.stdout.on('error', () => {
    void stop().finally(() => process.exit(INTERRUPTED.SIGINT));
  });
  try {
    screen.title(title);
    const machine = { env: process.env, homeDir: homedir(), isRoot };
    const played = await Promise.race([
      play({ screen, dir, packageRoot, machine, opened }),
      wait(LIMIT_MS, undefined, { signal: late.signal }).then(() => {
        throw new Error(`the demo did not end within ${LIMIT_MS / 1000} s`);
      }),
    ]);
    const { ok, list, headline, outcome } = played;
    const ms = Date.now() - startedAt;
    screen.plain(`\nsvc jobs --team acme\n${list.replace(/^/gm, '  ').trimEnd()}`);
    await stop();
    screen.plain(`
${ok ? 'Complete' : 'Not complete'}: ${headline} in ${(ms / 1000).toFixed(1)} s

The runners, the control plane and its database have stopped, and their files are removed. To start with a team
of your own: svc cloud start. Its first hour: ${toDocsAddress('guides/teams.md')}`);
    if (json) process.stdout.write(`${JSON.stringify({ ...outcome, ms })}\n`);
    return ok ? 0 : 1;
  } finally {
    late.abort();
    await stop();
  }
}

/** The folder of the demo, and where svc is root the data of its database. */
async function removeTraces(dir: string, isRoot: boolean): Promise<void> {
  const { base, runAs } = findLocalPlaces(join(dir, 'control-plane'), isRoot);
  if (runAs !== null) {
    await rm(base, { recursive: true, force: true });
    // Only where no other home has data there.
    await rmdir(dirname(base)).catch(() => undefined);
  }
  await rm(dir, { recursive: true, force: true });
}
