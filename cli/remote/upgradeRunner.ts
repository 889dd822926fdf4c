import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../src/api/client/client.ts';
import { readRunnerInfo } from '../../src/host/config/home/runnerInfo.ts';
import { openUpgradePlan, type UpgradePlan } from '../../src/host/upgrade/upgradePlan.ts';
import { formatProgramName } from '../../src/host/upgrade/program.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { isProcessAlive } from '../../src/base/system/process/isProcessAlive.ts';
import type { RestartReply } from '../../src/contract/schema/runner/handover.ts';

export const formatUpgradeResult = ({ from, to, url }: UpgradeResult): string =>
  from.build === to.build && from.version === to.version
    ? `${formatProgramName(to)} runs again at ${url}.\n`
    : `${formatProgramName(to)} runs at ${url}, instead of ${formatProgramName(from)}.\n`;

/** Between two looks at how far it is, ms. */
const LOOK_MS = 50;
/**
 * Longest wait, ms: the sessions' grace, ten minutes for a state that another process has, the trial, and
 * the same again for the program before.
 */
const LONGEST_MS = 1_800_000;

/** Longest wait until the program before answers again, ms. */
const BACK_MS = 120_000;

export type UpgradeResult = Pick<RestartReply, 'from' | 'to'> & { url: string };

const STEPS: Readonly<Record<UpgradePlan['step'], (plan: UpgradePlan) => string>> = {
  releasing: ({ from }) =>
    `Stopping svc ${from.version}: sessions are interrupted, every job is kept.`,
  trial: ({ to, waitsFor }) =>
    waitsFor === undefined ? `Starting ${formatProgramName(to)}.` : `Waiting: ${waitsFor}`,
  'taking-back': ({ from }) => `It is not healthy. Going back to ${formatProgramName(from)}.`,
  over: () => '',
};

/**
 * Lets the program in the folder `root` (null: the runner's own) take over from the runner of the
 * home, and waits until it has. Throws SvcError `conflict` if the previous program continues, with
 * the reason.
 */
export async function upgradeRunner(
  { home, client, note }: { home: string; client: Client; note(text: string): void },
  root: string | null,
): Promise<UpgradeResult> {
  const { id, from, to } = await client.restartRunner(root === null ? {} : { program: root });
  let lastText = '';
  for (let waitedMs = 0; waitedMs < LONGEST_MS; waitedMs += LOOK_MS) {
    const plan = await openUpgradePlan(home).read();
    if (plan?.id === id) {
      const line = STEPS[plan.step](plan);
      if (line !== lastText && line !== '') note(`${line}\n`);
      lastText = line;
      if (plan.step === 'over') {
        await awaitPreviousRunner(client);
        return { from, to, url: await readUpgradeOutcome(home, plan) };
      }
    }
    if (plan !== null && plan.id === id && !isProcessAlive(plan.pid)) break;
    await wait(LOOK_MS);
  }
  throw new SvcError('unreachable', `The runner of ${home} has not come back. See its log.`);
}

/** The previous program may still be starting. */
async function awaitPreviousRunner(client: Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < BACK_MS; waitedMs += LOOK_MS) {
    const isBack = await client.health().then(
      () => true,
      () => false,
    );
    if (isBack) return;
    await wait(LOOK_MS);
  }
}

async function readUpgradeOutcome(
  home: string,
  { from, to, reason }: UpgradePlan,
): Promise<string> {
  if (reason === null) return (await readRunnerInfo(home))?.url ?? '';
  throw new SvcError(
    'conflict',
    `${formatProgramName(to)} was rolled back, and ${formatProgramName(from)} continues with every job: ${reason}`,
  );
}
