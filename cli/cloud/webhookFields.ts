/** What to enter at a sender: the name of its field for the address, the one for the secret, and what to send. */
export interface WebhookFields {
  where: string;
  url: string;
  secret: string;
  send: string;
}

const FIELDS: Readonly<Record<string, WebhookFields>> = {
  github: {
    where: 'Settings > Webhooks > Add webhook; content type application/json',
    url: 'Payload URL',
    secret: 'Secret',
    send: 'Issues, issue comments, pull requests, reviews, review comments, check runs, statuses',
  },
  gitlab: {
    where: 'Settings > Webhooks > Add new webhook',
    url: 'URL',
    secret: 'Secret token',
    send: 'Issues, comments, merge requests, pipelines',
  },
  bitbucket: {
    where: 'Repository settings > Webhooks > Add webhook',
    url: 'URL',
    secret: 'Secret',
    send: 'Pull requests and their comments, build statuses, issues',
  },
  jira: {
    where: 'Settings > System > WebHooks > Create, as an administrator',
    url: 'URL',
    secret: 'Secret',
    send: 'Issue created, updated; comment created',
  },
  linear: {
    where: 'Settings > API > Webhooks',
    url: 'URL',
    secret: 'Signing secret',
    send: 'Issues, comments',
  },
  slack: {
    where: 'api.slack.com/apps > your app > Event Subscriptions',
    url: 'Request URL',
    secret: 'Signing Secret',
    send: 'The events that the plugin reads',
  },
};

const OTHERS: WebhookFields = {
  where: 'The webhook settings of the sender; content type application/json',
  url: 'URL',
  secret: 'Secret',
  send: 'What its plugin needs',
};

/** Senders that make the secret themselves, and how an admin gets it there. */
const SECRET_MAKERS: Readonly<Record<string, string>> = {
  linear: 'create the webhook there first, with the address of the team',
  slack: 'copy the Signing Secret of the app from its Basic Information',
};

export const findWebhookFields = (plugin: string): WebhookFields =>
  Object.hasOwn(FIELDS, plugin) ? (FIELDS[plugin] ?? OTHERS) : OTHERS;

/** How an admin gets the secret from a sender that takes none from svc; null = svc may make it. */
export const explainOwnSecret = (plugin: string): string | null =>
  Object.hasOwn(SECRET_MAKERS, plugin) ? (SECRET_MAKERS[plugin] ?? null) : null;
