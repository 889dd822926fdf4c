import { toIsoTime } from '../../../src/base/time/toIsoTime.ts';
import { githubExamples } from '../forges/webhookExamples.ts';

/** A comment, as a sender reports it. */
export interface SaidComment {
  text: string;
  /** Epoch ms. */
  at: number;
}

export interface CommentSender {
  plugin: string;
  /** The ticket of a job, as its params name it. */
  ticket: string;
  /** The body of the delivery about a new comment on it. */
  report(comment: SaidComment): object;
  /**
   * Of an installed plugin: the body of its `commentIn`, where `delivery` is what came. Left out = svc knows the sender.
   */
  commentIn?: string;
}

/** What GitHub has sent for a new comment on an issue, with another text and time. */
function reportAsGithub({ text, at }: SaidComment): object {
  const recorded = githubExamples().find(
    ({ name, payload }) => name === 'issue_comment' && payload.action === 'created',
  )?.payload;
  const comment = { ...Object(recorded?.comment), body: text, created_at: toIsoTime(at) };
  return { ...recorded, comment };
}

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#comment-on-an-issue */
const reportAsGitlab = ({ text, at }: SaidComment): object => ({
  object_kind: 'note',
  event_type: 'note',
  user: { id: 1, name: 'Administrator', username: 'root', email: '[REDACTED]' },
  project_id: 5,
  project: { id: 5, name: 'Gitlab Test', path_with_namespace: 'gitlab-org/gitlab-test' },
  object_attributes: {
    id: 1241,
    note: text,
    noteable_type: 'Issue',
    author_id: 1,
    created_at: toIsoTime(at),
    updated_at: toIsoTime(at),
    project_id: 5,
    noteable_id: 92,
    system: false,
    action: 'create',
    url: 'http://example.com/gitlab-org/gitlab-test/issues/17#note_1241',
  },
  issue: { id: 92, title: 'test_issue', iid: 17, state: 'closed', labels: [] },
});

/** https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/#Comment-created.1 */
const reportAsBitbucket = ({ text, at }: SaidComment): object => ({
  actor: {
    type: 'user',
    nickname: 'evzijst',
    display_name: 'Erik van Zijst',
    account_id: '557058:c0b72ad0-1cb5-4018-9cdc-0cde8492c443',
    uuid: '{d301aafa-d676-4ee0-88be-962be7417567}',
  },
  repository: { type: 'repository', full_name: 'team_name/repo_name', name: 'repo_name' },
  issue: { id: 1, title: 'Issue title', type: 'issue', state: 'new' },
  comment: {
    id: 17,
    content: { raw: text, markup: 'markdown' },
    created_on: toIsoTime(at),
    updated_on: toIsoTime(at),
  },
});

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
const reportAsJira = ({ text, at }: SaidComment): object => ({
  timestamp: at,
  webhookEvent: 'comment_created',
  comment: {
    self: 'https://acme.atlassian.net/rest/api/2/issue/10000/comment/252789',
    id: '252789',
    author: { accountId: '99:27935d01', displayName: 'Ann', accountType: 'atlassian' },
    body: text,
    created: toIsoTime(at),
    updated: toIsoTime(at),
  },
  issue: {
    id: '10000',
    self: 'https://acme.atlassian.net/rest/api/2/issue/10000',
    key: 'EX-1',
    fields: { summary: 'An example', labels: [] },
  },
});

/** https://linear.app/developers/webhooks#data-change-events-payload */
const reportAsLinear = ({ text, at }: SaidComment): object => ({
  action: 'create',
  type: 'Comment',
  actor: { id: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba', type: 'user', name: 'Ann' },
  createdAt: toIsoTime(at),
  data: {
    id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
    createdAt: toIsoTime(at),
    updatedAt: toIsoTime(at),
    body: text,
    issueId: '539068e2-ae88-4d09-bd75-22eb4a59612f',
    userId: 'b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba',
  },
  url: 'https://linear.app/issue/LIN-1778/foo-bar#comment-77217de3',
  organizationId: 'dfc8b4ce-4f47-4d9b-8d8e-0c3a1c1f2b3a',
  webhookTimestamp: at,
  webhookId: '000042e3-d123-4980-b49f-8e140eef9329',
});

/** https://docs.slack.dev/reference/events/message, in the envelope of the Events API */
const reportAsSlack = ({ text, at }: SaidComment): object => ({
  team_id: 'T061EG9R6',
  api_app_id: 'A0FFV41KK',
  event: {
    type: 'message',
    channel: 'C024BE91L',
    user: 'U2147483697',
    text,
    ts: `${Math.floor(at / 1000)}.000005`,
    event_ts: `${Math.floor(at / 1000)}.000005`,
    channel_type: 'channel',
  },
  type: 'event_callback',
  event_id: 'Ev08MFMKH6',
  event_time: Math.floor(at / 1000),
});

/** https://docs.stripe.com/api/events/object */
const reportAsStripe = ({ text, at }: SaidComment): object => ({
  id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
  object: 'event',
  api_version: '2019-02-19',
  created: Math.floor(at / 1000),
  data: {
    object: { id: 'in_1MtHbELkdIwHu7ixl4OzzPMv', object: 'invoice', description: text },
  },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: 'invoice.paid',
});

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#payload-structure */
const reportAsStandard = ({ text, at }: SaidComment): object => ({
  type: 'contact.updated',
  timestamp: toIsoTime(at),
  data: { id: '1f81eb52-5198-4599-803e-771906343485', type: 'contact', note: text },
});

/** The eight kinds of senders, each with a comment that wakes a job. */
export const COMMENT_SENDERS: readonly CommentSender[] = [
  { plugin: 'github', ticket: 'Codertocat/Hello-World#1', report: reportAsGithub },
  { plugin: 'gitlab', ticket: 'gitlab-org/gitlab-test#17', report: reportAsGitlab },
  { plugin: 'bitbucket', ticket: 'team_name/repo_name#1', report: reportAsBitbucket },
  { plugin: 'jira', ticket: 'EX-1', report: reportAsJira },
  { plugin: 'linear', ticket: 'LIN-1778', report: reportAsLinear },
  {
    plugin: 'slack',
    ticket: 'C024BE91L',
    report: reportAsSlack,
    commentIn: `
      if (delivery.type !== 'event_callback' || delivery.event.type !== 'message') return null;
      const { channel: key, user: author, text: body } = delivery.event;
      return { key, id: delivery.event_id, author, body, at: new Date(delivery.event_time * 1000).toISOString(), own: false, member: true };`,
  },
  {
    plugin: 'payments',
    ticket: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
    report: reportAsStripe,
    commentIn: `
      if (delivery.type !== 'invoice.paid') return null;
      const { id: key, description: body } = delivery.data.object;
      return { key, id: delivery.id, author: 'payments', body, at: new Date(delivery.created * 1000).toISOString(), own: false, member: true };`,
  },
  {
    plugin: 'standard',
    ticket: '1f81eb52-5198-4599-803e-771906343485',
    report: reportAsStandard,
    commentIn: `
      if (delivery.type !== 'contact.updated') return null;
      const { id: key, note: body } = delivery.data;
      return { key, id: key + delivery.timestamp, author: 'contacts', body, at: delivery.timestamp, own: false, member: true };`,
  },
];

/** Source of a tracker that reads the comments of such a sender, and nothing else. */
export const writeTrackerSource = (commentIn: string): string => `
const refuse = async () => {
  throw Object.assign(new Error('It has no issues.'), { code: 'not-found' });
};
export default {
  kind: 'tracker',
  create: () => ({
    issue: refuse,
    comments: refuse,
    search: async () => [],
    comment: refuse,
    transition: refuse,
    async commentIn(delivery) {${commentIn}
    },
  }),
};
`;
