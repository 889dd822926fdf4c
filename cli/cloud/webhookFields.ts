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
};

const OTHERS: WebhookFields = {
  where: 'The webhook settings of the sender; content type application/json',
  url: 'URL',
  secret: 'Secret',
  send: 'What its plugin needs',
};

/** Senders that make the secret themselves. */
const MAKERS: ReadonlySet<string> = new Set(['linear']);

export const findWebhookFields = (plugin: string): WebhookFields => FIELDS[plugin] ?? OTHERS;

/** Whether the secret comes from the sender, so that one that svc makes cannot be entered there. */
export const makesOwnSecret = (plugin: string): boolean => MAKERS.has(plugin);
