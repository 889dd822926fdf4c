import type {
  NewWebhook,
  TeamWebhook,
  TeamWebhookList,
} from '../../../src/contract/schema/cloud/webhook.ts';
import { findWebhookFields } from '../../cloud/webhookFields.ts';
import { formatAgo } from '../text/formatTimeWithAgo.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

/** The address and the secret, for the settings of the sender. */
export function formatNewWebhook({ plugin, url, secret, previousUntil }: NewWebhook): string {
  const fields = findWebhookFields(plugin);
  const width = Math.max(fields.url.length, fields.secret.length, 'Send'.length) + 2;
  const line = (name: string, value: string) =>
    `  ${name.padEnd(width)}${toPrintableLine(value)}\n`;
  return [
    `Enter this at ${toPrintableLine(plugin)} (${fields.where}):\n\n`,
    line(fields.url, url),
    line(fields.secret, secret ?? 'the one that you gave'),
    line('Send', fields.send),
    '\n',
    secret === null ? '' : 'The secret is not shown again.\n',
    previousUntil === null ? '' : `The old secret is valid until ${previousUntil}.\n`,
  ].join('');
}

function formatWebhook(
  { plugin, url, lastAt, readable, previousUntil, runners }: TeamWebhook,
  now: number,
) {
  const last = lastAt === null ? 'none in the last 7 days' : `the last ${formatAgo(lastAt, now)}`;
  const lines = [
    `${plugin}: ${last}`,
    `  ${toPrintableLine(url)}`,
    ...(readable
      ? []
      : [
          `  Its secret was sealed with another SVC_CLOUD_KEY. Run: svc cloud webhook rotate ${plugin}`,
        ]),
    ...(previousUntil === null ? [] : [`  The secret before is valid until ${previousUntil}.`]),
    ...runners.map(({ runner, waiting, refused, reason }) => {
      const counts = [
        ...(waiting > 0 ? [`${waiting} waiting`] : []),
        ...(refused > 0 ? [`${refused} refused`] : []),
      ].join(', ');
      const why = reason === null ? '' : `: ${toPrintableLine(reason)}`;
      return `  ${toPrintableLine(runner)}: ${counts}${why}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** The senders of a team, and what needs attention. */
export function formatWebhookList(
  { webhooks, unclaimed, offered }: TeamWebhookList,
  now: number,
): string {
  const open = offered.filter(({ plugin }) => !webhooks.some((one) => one.plugin === plugin));
  const changedManifests = offered.filter(
    ({ plugin, accepted }) => !accepted && webhooks.some((one) => one.plugin === plugin),
  );
  return [
    webhooks.length === 0
      ? 'The team takes no webhooks. Add a sender: svc cloud webhook add github\n'
      : webhooks.map((one) => formatWebhook(one, now)).join('\n'),
    ...unclaimed.map(
      ({ rule, plugin, subject, expired, reason, since }) =>
        `\nNo runner has created the job of the rule ${rule}${subject === null ? '' : ` for ${toPrintableLine(subject)}`} (${plugin}, ${formatAgo(since, now)})${expired ? '; it was given up' : ''}: ${toPrintableLine(reason)}\n`,
    ),
    ...open.map(
      ({ plugin, runner }) =>
        `\n${toPrintableLine(runner)} has the plugin ${plugin} with a webhook. To take it: svc cloud webhook add ${plugin}\n`,
    ),
    ...changedManifests.map(
      ({ plugin, runner }) =>
        `\nThe plugin ${plugin} of ${toPrintableLine(runner)} now describes its webhook in another way than the team has accepted. To accept it, remove the webhook and add it again.\n`,
    ),
  ].join('');
}
