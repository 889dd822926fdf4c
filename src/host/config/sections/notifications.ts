import Type from 'typebox';
import {
  CHANNEL_TYPES,
  DEFAULT_BATCH_SECONDS,
  DEFAULT_NOTIFICATION_KINDS,
  MOST_BATCH_SECONDS,
  NOTIFICATION_KINDS,
  WEEKDAYS,
} from '../../../base/settings/notificationKinds.ts';
import { closed } from '../../../contract/schema/kit/schemaKit.ts';
import { ChosenName, entry, markSecret, Secret, section, word } from './fieldSchemas.ts';

const TimeOfDay = (description: string) =>
  Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    title: 'a time of day in double quotes',
    examples: ['22:00'],
    description,
  });
const Zone = Type.Optional(
  Type.String({
    ...word,
    description: 'Time zone, such as Europe/Berlin. Default: that of this machine.',
  }),
);
const Patterns = (description: string) =>
  Type.Array(Type.String({ ...word }), { maxItems: 100, default: [], description });

const Channel = Type.Object(
  {
    type: Type.Enum([...CHANNEL_TYPES], {
      description:
        'command: a program of yours gets each message as JSON on stdin. webhook: signed as Standard Webhooks asks for. web-push: browsers that were turned on in the dashboard. The others: that service.',
    }),
    enabled: Type.Boolean({ default: true, description: 'Whether messages are sent to it.' }),
    command: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), {
        minItems: 1,
        maxItems: 100,
        ...markSecret('arguments'),
        description:
          'command: the program and its arguments. All users of the machine can read them.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]+$',
        maxLength: 4_096,
        ...markSecret('whole'),
        title: 'an address that begins with https:// or http:// in double quotes',
        description:
          'webhook, slack, teams, discord: where messages are posted. ntfy: address of the server; default https://ntfy.sh. slack with token: address of the API; default https://slack.com/api.',
      }),
    ),
    secret: Type.Optional(
      Secret('webhook: whsec_ and 24 to 64 bytes as base64, with which messages are signed.'),
    ),
    topic: Type.Optional(
      Type.String({
        pattern: '^[-_A-Za-z0-9]{1,64}$',
        ...markSecret('whole'),
        title: 'up to 64 letters, digits, _ and - in double quotes',
        description: 'ntfy: the topic. Everyone who knows it can read the messages.',
      }),
    ),
    token: Type.Optional(
      Secret(
        'ntfy: access token of a protected topic. slack: token of a bot, which begins with xoxb-; with it svc changes messages whose items are settled.',
      ),
    ),
    slackChannel: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9]{1,32}$',
        title: 'the id of a channel in double quotes',
        examples: ['C0123456789'],
        description: 'slack with token: id of the channel, which the bot must be in.',
      }),
    ),
    host: Type.Optional(Type.String({ ...word, description: 'email: name of the SMTP server.' })),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: 'email: port of the server. Default: 465 with secure, else 587.',
      }),
    ),
    secure: Type.Optional(
      Type.Boolean({
        description:
          'email: TLS from the first byte. Default: on port 465. Otherwise STARTTLS is required, except on this machine.',
      }),
    ),
    user: Type.Optional(Type.String({ ...word, description: 'email: login at the server.' })),
    password: Type.Optional(Secret('email: password of the login.')),
    from: Type.Optional(
      Type.String({ ...word, description: 'email: sender, such as svc <svc@example.com>.' }),
    ),
    to: Type.Optional(
      Type.Array(Type.String({ ...word }), {
        minItems: 1,
        maxItems: 50,
        description: 'email: recipients.',
      }),
    ),
    contact: Type.Optional(
      Type.String({
        pattern: '^(mailto:[^@\\s]+@|https://)[^\\s]+$',
        maxLength: 200,
        title: 'an address that begins with mailto: or https:// in double quotes',
        description:
          'web-push: how push services can reach you. Default: runner.publicUrl if it begins with https.',
      }),
    ),
    allowHosts: Type.Optional(
      Type.Array(Type.String({ ...word }), {
        maxItems: 20,
        description:
          'web-push: hosts in your own network that may be push services, without a port. Default: none.',
      }),
    ),
  },
  { ...closed, ...entry },
);

const Rule = Type.Object(
  {
    channel: Type.String({ ...word, description: 'Name of a channel.' }),
    kinds: Type.Array(Type.Enum([...NOTIFICATION_KINDS]), {
      minItems: 1,
      maxItems: NOTIFICATION_KINDS.length,
      default: [...DEFAULT_NOTIFICATION_KINDS],
      description:
        'What it is notified of. needs-you: approvals, questions, reviews. broken: failed and escalated jobs, halted campaigns, schedules that paused themselves. budget, account, runner: what holds jobs up. report: the daily or weekly report.',
    }),
    repositories: Patterns('Only jobs of these repositories, such as acme/*. Default: all.'),
    workflows: Patterns('Only jobs of these workflows, such as workflows/nightly*. Default: all.'),
    people: Patterns(
      'Only jobs that one of these created (members of a team) or is to review (reviewers of the job). Default: all.',
    ),
    quietHours: Type.Optional(
      Type.Object(
        {
          from: TimeOfDay('When they begin.'),
          to: TimeOfDay('When they end; messages that waited are sent then.'),
          zone: Zone,
        },
        { ...closed, description: 'When nothing is sent.' },
      ),
    ),
    batchSeconds: Type.Integer({
      minimum: 0,
      maximum: MOST_BATCH_SECONDS,
      default: DEFAULT_BATCH_SECONDS,
      description:
        'How long a message waits for more, in seconds: forty approvals within this time are one message.',
    }),
  },
  closed,
);

export const Notifications = Type.Object(
  {
    channels: Type.Record(ChosenName, Channel, {
      default: {},
      maxProperties: 50,
      description: 'Where messages are sent, by a name of your choice.',
    }),
    rules: Type.Array(Rule, {
      maxItems: 100,
      default: [],
      description:
        'What is sent where. Of several rules for one channel the first that matches counts.',
    }),
    report: Type.Object(
      {
        every: Type.Enum(['day', 'week'], { default: 'day', description: 'How often.' }),
        at: Type.String({
          pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
          default: '08:00',
          title: 'a time of day in double quotes',
          description: 'When.',
        }),
        weekday: Type.Enum([...WEEKDAYS], {
          default: 'mon',
          description: 'Day of a weekly report.',
        }),
        zone: Zone,
      },
      { ...section, description: 'When the report is sent, to channels whose rule has it.' },
    ),
  },
  { ...section, title: 'Notifications' },
);
