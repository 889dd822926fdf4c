import { join } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';
import { describeLowDisk, type LowDisk } from '../../base/limits/findLowDisk.ts';
import { isOwnVariable } from '../../base/settings/ownVariables.ts';
import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { Notifications } from '../../contract/runner/notifications.ts';
import type { ChannelSettings } from '../../contract/schema/runner/notificationSettings.ts';
import { openChannel } from '../../notifications/channels/openChannel.ts';
import { createNotifications } from '../../notifications/createNotifications.ts';
import { describeReport } from '../../notifications/message/describeReport.ts';
import { openFailedBuild } from '../upgrade/upgradePlan.ts';
import { Notifier } from '../../notifications/notifier.ts';
import { splitByBrowser } from '../../notifications/push/browserChannels.ts';
import { readOrMakePushKeys } from '../../notifications/push/pushKeys.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { RunningRunner } from '../runner/runner.ts';
import { readNotifiedSchedule } from './readNotifiedSchedule.ts';
import type { Start } from './startOptions.ts';

/** How long a stop waits for attempts that run, ms. */
const STOP_GRACE_MS = 3_000;
/** How long an upgrade that was taken back is reported at a start, ms: as long as its message is kept. */
const REPORT_UPGRADE_MS = 3 * 24 * 3_600_000;
/** Keys of web push, in the home. */
const PUSH_KEYS = 'push-keys.json';
const PROJECT_PAGE = 'https://github.com/svc/runner';
const NO_NOTIFICATIONS = {
  channels: {},
  rules: [],
  report: { every: 'day', at: '08:00', weekday: 'mon' },
} as const;

export interface OpenNotifications extends Notifications {
  /** Delivers what waits and what comes, until the runner is released. */
  begin(): Promise<void>;
}

/** Joins the notifications with the runner that they are about. Nothing is sent before `begin`. */
export function openNotifications(
  start: Start,
  store: OpenStore,
  runner: RunningRunner,
  mayAct: MayAct,
): OpenNotifications {
  const { settings, clock, ids, log, secrets, hostEnv, address, releasers } = start;
  const pushKeys = () => readOrMakePushKeys(join(settings.home, PUSH_KEYS), ids.next);
  const parts = {
    rows: store.rows,
    nextId: ids.next,
    settings: () => settings.notifications ?? NO_NOTIFICATIONS,
    writeRows: runner.writeRows,
    openChannel: (_name: string, channel: ChannelSettings) =>
      openChannel(channel, {
        now: clock.now,
        folder: settings.home,
        commandEnv: pickCommandEnvironment(hostEnv),
        push: {
          keys: pushKeys,
          findSubscription: (id) => store.rows.one('push_subscriptions', { id }),
          contact: () => pickContact(settings.runner.publicUrl),
        },
      }),
  };
  const baseUrl = () => (settings.runner.publicUrl ?? address.url).replace(/\/+$/, '');
  const readJob = (id: string) => {
    try {
      return runner.job(id);
    } catch {
      return null;
    }
  };
  const notifier = new Notifier({
    ...parts,
    settings: () => splitByBrowser(parts.settings(), store.rows.all('push_subscriptions')),
    onCommit: (listener) => runner.onCommit(listener),
    clock,
    log,
    mayAct,
    sources: () => ({
      job: readJob,
      schedule: (name) => readNotifiedSchedule(settings.schedules ?? [], store, name),
      screen: secrets.screen,
      baseUrl: baseUrl(),
    }),
    listReviewers: (id) => readJob(id)?.reviewers ?? [],
    describeReport: async (days) => describeReport(await runner.report({ since: `${days}d` })),
  });
  return {
    ...createNotifications({ ...parts, pushKeys, now: clock.now, screen: secrets.screen, baseUrl }),
    async begin() {
      releasers.add('notifications', () => notifier.stop(STOP_GRACE_MS));
      const reportFailure = (err: unknown) =>
        log.error({ err }, 'a notification could not be written');
      releasers.add(
        'watch of the disk',
        runner.onDiskChange((low) => {
          if (low === null) return;
          const writing = runner.writeRows([createDiskFact(low, clock)]);
          writing.then(() => notifier.wake()).catch(reportFailure);
        }),
      );
      start.settingsListeners.add(() => void notifier.settingsChanged().catch(reportFailure));
      await noteFailedUpgrade(settings.home, clock.now(), store, runner).catch(reportFailure);
      await notifier.start();
    },
  };
}

/** Push services ask for an address; some refuse messages without one. */
const pickContact = (publicUrl: string | undefined): string =>
  publicUrl?.startsWith('https://') ? publicUrl : PROJECT_PAGE;

const createDiskFact = (low: LowDisk, { now }: Clock) => {
  const at = now();
  const row = {
    id: `disk/${at}`,
    kind: 'runner' as const,
    reason: 'disk-low',
    job_id: null,
    at,
    text: describeLowDisk(low),
  };
  return { op: 'put', table: 'notification_facts', row } as const;
};

/** An upgrade that was taken back, reported once: its message is known for as long as the fact is new. */
async function noteFailedUpgrade(
  home: string,
  now: number,
  { rows }: OpenStore,
  { writeRows }: RunningRunner,
): Promise<void> {
  const failedBuild = await openFailedBuild(home).read();
  if (failedBuild === null) return;
  const at = Date.parse(failedBuild.at);
  const id = `upgrade/${at}`;
  const isKnown = rows
    .all('notification_messages')
    .some(({ facts }) => facts.includes(JSON.stringify(id)));
  if (isKnown || now - at > REPORT_UPGRADE_MS) return;
  const { version } = failedBuild.program;
  const row = {
    id,
    kind: 'runner' as const,
    reason: 'upgrade-failed',
    job_id: null,
    at,
    text: `svc ${version} was taken back: ${failedBuild.reason}`,
  };
  await writeRows([{ op: 'put', table: 'notification_facts', row }]);
}

/** A program of the user's gets the runner's environment without svc's own settings and tokens. */
const pickCommandEnvironment = (env: Start['hostEnv']): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isOwnVariable(name)));
