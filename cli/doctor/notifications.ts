import { formatUtcMinute } from '../../src/base/time/toIsoTime.ts';
import type { NotificationChannel } from '../../src/contract/schema/runner/notifications.ts';
import { toOkFinding, toSkippedFinding, toWarningFinding, type Finding } from './check.ts';

/** Names the channels that do not deliver, and those that no rule sends to. */
export function diagnoseNotifications(channels: readonly NotificationChannel[]): Finding {
  if (channels.length === 0)
    return toSkippedFinding('no channel is configured (notifications in config.json)');
  const failing = channels.filter(({ state }) => state === 'failing');
  if (failing.length > 0)
    return toWarningFinding(
      failing
        .map(
          ({ name, type, problem, failingSince, waiting }) =>
            `${name} (${type}) ${problem}${failingSince === null ? '' : `, since ${formatUtcMinute(failingSince)}`}; ${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'}`,
        )
        .join('; '),
      `Fix notifications.channels, then run svc notify test ${failing[0]?.name}.`,
    );
  const unusedChannels = channels.filter(({ state, rules }) => state !== 'disabled' && rules === 0);
  if (unusedChannels.length > 0)
    return toWarningFinding(
      `no rule sends to ${unusedChannels.map(({ name }) => name).join(', ')}`,
      'Add a rule to notifications.rules.',
    );
  return toOkFinding(
    `${channels.length} ${channels.length === 1 ? 'channel' : 'channels'}, none is failing`,
  );
}
